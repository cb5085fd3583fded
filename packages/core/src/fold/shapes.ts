import type { EntryMaker } from '../entry.ts'
import type {
  ApprovalState,
  BlockVariant,
  Meta,
  Outcome,
  Role,
  RunBy,
  RunError,
  StatusLevel,
  SubagentStatus,
  TodoItem,
  UsageCounts,
} from '../event-fields.ts'
import type { EventOf } from '../events.ts'
import type { Json, JsonObject } from '../json.ts'

/** What every folded piece carries. Times are in milliseconds, on the run's clock; `seqs` are its first and last entry. */
export interface Folded {
  readonly startedAt: number
  readonly endedAt?: number
  readonly seqs: readonly [first: number, last: number]
  readonly meta?: Meta
}

export type BlockState = 'live' | 'done' | 'interrupted'
export type ToolState = 'input' | 'ready' | 'approval' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled'

export interface TextSegment extends Folded {
  readonly type: 'text'
  readonly id: string
  readonly text: string
  readonly variant?: BlockVariant
  readonly state: BlockState
  readonly citations?: readonly Json[]
}

export interface ReasoningSegment extends Folded {
  readonly type: 'reasoning'
  readonly id: string
  readonly text: string
  readonly variant?: BlockVariant
  readonly state: BlockState
  readonly signature?: string
  readonly encrypted?: string
}

export interface FoldedApproval {
  readonly approvalId: string
  readonly state: ApprovalState
  readonly message?: string
  readonly request?: Json
  readonly answer?: Json
  /** Who answered; absent if the stream did, or nobody has. */
  readonly by?: EntryMaker
}

/** Adjacent text of one channel is joined. */
export interface ProgressReport {
  readonly channel: EventOf<'tool-progress'>['channel']
  readonly text?: string
  readonly data?: Json
  readonly percent?: number
}

export interface ToolSegment extends Folded {
  readonly type: 'tool'
  readonly callId: string
  readonly name: string
  readonly title?: string
  readonly runBy: RunBy
  readonly state: ToolState
  readonly server?: string
  readonly parentCallId?: string
  /** While the input streams, what can be read of it so far. */
  readonly input?: Json
  readonly inputText?: string
  readonly approval?: FoldedApproval
  readonly progress?: readonly ProgressReport[]
  readonly output?: Json
  readonly error?: string
  /** The view draws that segment instead of this one. */
  readonly shownAs?: 'todos' | 'subagent'
}

export interface TodosSegment extends Folded {
  readonly type: 'todos'
  readonly listId: string
  readonly items: readonly TodoItem[]
}

export interface StatusLine {
  readonly message: string
  readonly level: StatusLevel
  readonly at: number
}

export interface StatusSegment extends Folded {
  readonly type: 'status'
  readonly lines: readonly StatusLine[]
}

export interface SubagentSegment extends Folded {
  readonly type: 'subagent'
  readonly agentId: string
  readonly name: string
  readonly task?: string
  readonly callId?: string
  readonly state: 'live' | SubagentStatus
  readonly summary?: string
  readonly segments: readonly Segment[]
}

export interface ApprovalSegment extends Folded, FoldedApproval {
  readonly type: 'approval'
}

/** An event's own fields, without those that every folded piece has. */
type ContentFields<Type extends 'source' | 'file' | 'data' | 'error'> = Omit<
  EventOf<Type>,
  'messageId' | 'agentId' | 'sentAt' | 'meta'
>

export interface SourceSegment extends Folded, ContentFields<'source'> {}
export interface FileSegment extends Folded, ContentFields<'file'> {}
export interface DataSegment extends Folded, ContentFields<'data'> {}
export interface ErrorSegment extends Folded, ContentFields<'error'> {}

export type Segment =
  | TextSegment
  | ReasoningSegment
  | ToolSegment
  | TodosSegment
  | StatusSegment
  | SubagentSegment
  | ApprovalSegment
  | SourceSegment
  | FileSegment
  | DataSegment
  | ErrorSegment

export type SegmentType = Segment['type']
export type SegmentOf<Type extends SegmentType> = Extract<Segment, { type: Type }>

/** One message, folded. */
export interface ChatEvent extends Folded {
  readonly id: string
  readonly runId: string
  readonly role: Role
  /** Who made the message: the server for what was asked of it, a client for what it brought; absent if the stream did. */
  readonly by?: EntryMaker
  readonly state: 'live' | 'done' | 'interrupted' | 'retracted'
  readonly segments: readonly Segment[]
  readonly model?: string
  readonly usage?: UsageCounts
}

/** The entries of a run that hold what was not understood: how many there are, and the first of them. */
export interface RawKept {
  readonly count: number
  /** At most 20. */
  readonly seqs: readonly number[]
  /** The raw record of each of those entries, by its number: the first record is 0. */
  readonly records: readonly number[]
}

/** A run, folded so far. Immutable: a later snapshot shares with this one whatever did not change. */
export interface RunSnapshot {
  readonly runId: string
  readonly chatEvents: readonly ChatEvent[]
  readonly outcome?: Outcome
  readonly error?: RunError
  readonly usage?: UsageCounts
  readonly metadata?: JsonObject
  readonly state?: { readonly [channel: string]: Json }
  /** Absent while everything was understood. */
  readonly raw?: RawKept
  /** On the run's clock; absent before the first entry. */
  readonly startedAt?: number
  /** On the run's clock; absent until the run has ended. */
  readonly endedAt?: number
}

/** What is known of a run as a whole, beside its messages. */
export type RunTotals = Pick<RunSnapshot, 'usage' | 'raw' | 'startedAt' | 'endedAt'>
