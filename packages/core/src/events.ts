import type {
  ApprovalEvent,
  BlockDelta,
  BlockEnd,
  BlockPatch,
  BlockStart,
  FileEvent,
  SourceEvent,
  ToolInput,
  ToolInputDelta,
  ToolOutput,
  ToolProgress,
  ToolStart,
} from './content-events.ts'
import type {
  Common,
  Outcome,
  Role,
  RunError,
  StatusLevel,
  SubagentStatus,
  TodoItem,
  UsageCounts,
} from './event-fields.ts'
import type { Json, JsonObject } from './json.ts'

/** Exactly one, first. */
export interface RunStart extends Common {
  readonly type: 'run-start'
  readonly agent?: string
  readonly model?: string
}

/** Exactly one, last. A parser may emit it early or repeatedly: `balance` keeps the last and emits it at the end. */
export interface RunEnd extends Common {
  readonly type: 'run-end'
  readonly outcome: Outcome
  readonly reason?: string
  readonly error?: RunError
  readonly result?: Json
}

export interface MessageStart extends Common {
  readonly type: 'message-start'
  readonly messageId: string
  readonly role: Role
  readonly model?: string
}

export interface MessageEnd extends Common {
  readonly type: 'message-end'
  readonly messageId: string
  /** The run ended before the message did. */
  readonly interrupted?: boolean
}

export interface MessageRetract extends Common {
  readonly type: 'message-retract'
  readonly messageIds: readonly string[]
}

export interface StepStart extends Common {
  readonly type: 'step-start'
  readonly kind: 'model' | 'planning' | 'action' | 'final' | 'node'
  readonly name?: string
  readonly number?: number
}

export interface StepEnd extends Common {
  readonly type: 'step-end'
  /** Why the model stopped, as the provider names it: `end_turn`, `tool_use`, `max_tokens`, … */
  readonly reason?: string
}

/** `set` replaces the list, an empty list clears it; `update` patches items by id. */
export interface TodosEvent extends Common {
  readonly type: 'todos'
  readonly listId: string
  readonly op: 'set' | 'update'
  readonly items: readonly TodoItem[]
  readonly callId?: string
}

export interface SubagentStart extends Common {
  readonly type: 'subagent-start'
  readonly agentId: string
  readonly name: string
  readonly task?: string
  readonly callId?: string
  readonly parentAgentId?: string
}

export interface SubagentEnd extends Common {
  readonly type: 'subagent-end'
  readonly agentId: string
  readonly status: SubagentStatus
  readonly summary?: string
}

export interface StatusEvent extends Common {
  readonly type: 'status'
  readonly message: string
  readonly level: StatusLevel
}

/** `run` replaces, `step` adds; a `snapshot` replaces the earlier counts of the same step, an `add` sums. */
export interface UsageEvent extends Common, UsageCounts {
  readonly type: 'usage'
  readonly scope: 'step' | 'run'
  readonly mode: 'snapshot' | 'add'
  readonly model?: string
}

export interface StateEvent extends Common {
  readonly type: 'state'
  readonly channel: string
  readonly op: 'snapshot' | 'patch'
  readonly value: Json
}

export interface DataEvent extends Common {
  readonly type: 'data'
  readonly name: string
  readonly data: Json
  readonly id?: string
  readonly transient?: boolean
}

export interface MetadataEvent extends Common {
  readonly type: 'metadata'
  readonly metadata: JsonObject
}

/** A request of a person or host, as it is logged. */
export interface ControlEvent extends Common {
  readonly type: 'control'
  readonly action: 'stop' | 'steer' | 'resume'
  readonly by?: string
  /** The message that `steer` is about. */
  readonly messageId?: string
  /** Nobody has taken the message, and nobody will. */
  readonly dropped?: boolean
}

/** Not fatal: a fatal error is `run-end` with outcome `error`. */
export interface ErrorEvent extends Common, RunError {
  readonly type: 'error'
}

/** A record that was not understood: kept in the log, hidden by default. */
export interface RawEvent extends Common {
  readonly type: 'raw'
  readonly value: Json
  readonly reason: 'unmapped' | 'unparsable'
}

/** The one vocabulary that every parser maps to and that every later stage uses. */
export type StreamEvent =
  | RunStart
  | RunEnd
  | MessageStart
  | MessageEnd
  | MessageRetract
  | StepStart
  | StepEnd
  | BlockStart
  | BlockDelta
  | BlockPatch
  | BlockEnd
  | ToolStart
  | ToolInputDelta
  | ToolInput
  | ApprovalEvent
  | ToolProgress
  | ToolOutput
  | SourceEvent
  | FileEvent
  | TodosEvent
  | SubagentStart
  | SubagentEnd
  | StatusEvent
  | UsageEvent
  | StateEvent
  | DataEvent
  | MetadataEvent
  | ControlEvent
  | ErrorEvent
  | RawEvent

export type EventType = StreamEvent['type']

/** One event of one type. */
export type EventOf<Type extends EventType> = Extract<StreamEvent, { type: Type }>
