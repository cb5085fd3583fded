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
  StructuredAnswer,
  SubagentStatus,
  TodoItem,
  UsageCounts,
} from '../event-fields.ts'
import type { EventOf } from '../events.ts'
import type { Json, JsonObject } from '../json.ts'

/** The fields of chat events and segments. Times are in ms on the run's clock; `seqs` are the first and last entry. */
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
  /** The text as a structured answer, if it is one. The text stays as it is. */
  readonly answer?: StructuredAnswer
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
  /** Why it expired; `went-on` if its call continued without an answer. */
  readonly reason?: string
  readonly remember?: 'session'
  /** The approved input, if it differs from the call's own. */
  readonly input?: Json
  /** The maker of the answer; absent if the stream answered, or there is no answer. */
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
  /** While the input streams, the part that can be parsed so far. */
  readonly input?: Json
  readonly inputText?: string
  /** The language of an input that is code: `text` if it is not known. Absent for other inputs. */
  readonly language?: string
  readonly approval?: FoldedApproval
  readonly progress?: readonly ProgressReport[]
  readonly output?: Json
  readonly error?: string
  /** The kind of segment that is drawn instead of this one. */
  readonly shownAs?: 'todos' | 'subagent' | 'answer'
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

/** The fields of an event without those that every event may carry. */
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

/** A step that began in a message: its kind, its entries, and what it used. An open step reaches as far as the message. */
export interface StepRange {
  readonly kind: EventOf<'step-start'>['kind']
  readonly number?: number
  readonly name?: string
  readonly seqs: readonly [first: number, last: number]
  readonly usage?: UsageCounts
}

/** One message, folded. */
export interface ChatEvent extends Folded {
  readonly id: string
  readonly runId: string
  readonly role: Role
  /** The maker of the message: the server for a user's input, a client for what it sent; absent for the stream. */
  readonly by?: EntryMaker
  readonly state: 'live' | 'done' | 'interrupted' | 'retracted'
  readonly segments: readonly Segment[]
  readonly model?: string
  readonly usage?: UsageCounts
  /** Those of the main agent, in order. Absent if no step began in the message. */
  readonly steps?: readonly StepRange[]
}

/** The entries of a run that were not understood: their number, and the first of them. */
export interface RawKept {
  readonly count: number
  /** At most 20. */
  readonly seqs: readonly number[]
  /** The number of each entry's raw record, counted from 0. */
  readonly records: readonly number[]
}

/** The fold of a run so far. Immutable: a later snapshot shares with it everything that did not change. */
export interface RunSnapshot {
  readonly runId: string
  readonly chatEvents: readonly ChatEvent[]
  readonly outcome?: Outcome
  readonly error?: RunError
  readonly usage?: UsageCounts
  readonly metadata?: JsonObject
  readonly state?: { readonly [channel: string]: Json }
  /** Absent if every entry was understood. */
  readonly raw?: RawKept
  /** On the run's clock; absent before the first entry. */
  readonly startedAt?: number
  /** On the run's clock; absent until the run has ended. */
  readonly endedAt?: number
}

/** The data of a run as a whole, besides its messages. */
export type RunTotals = Pick<RunSnapshot, 'usage' | 'raw' | 'startedAt' | 'endedAt'>
