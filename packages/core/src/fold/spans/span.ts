import type { Outcome, UsageCounts } from '../../event-fields.ts'
import type { Json } from '../../json.ts'

/** What a stretch of a run's time was for. `status` is the work that an agent reports before and between model calls. */
export type SpanKind = 'model' | 'thought' | 'tool' | 'subagent' | 'approval' | 'status'

/**
 * What happens in a part of a span. `first-token`: a model was asked and has sent nothing yet. `output`: it writes.
 * `input`: the model writes the input of a call. `run`: a call, a subagent or a status is at work. `person`: an answer is
 * awaited. `failed`: an attempt of a model call that was repeated or taken back.
 */
export type PhaseKind = 'first-token' | 'output' | 'input' | 'run' | 'person' | 'failed'

export interface Phase {
  readonly kind: PhaseKind
  readonly from: number
  readonly to: number
}

/** The model has sent so many characters in this time. */
export interface Writing {
  readonly from: number
  readonly to: number
  readonly length: number
}

export type SpanState = 'live' | 'done' | 'failed' | 'cancelled'

/** A stretch of a run's time. Times are in ms on the run's clock. */
export interface Span {
  /** The same in every snapshot: no other span of the run has it. */
  readonly id: string
  readonly kind: SpanKind
  /** The span that it lies in: a thought in its model call, a call of a subagent in the subagent. Absent: the run. */
  readonly parent?: string
  /** The model call that asked for it. */
  readonly asked?: string
  readonly state: SpanState
  /** The tool, the subagent, the last status, or the model; empty if nothing names it. */
  readonly name: string
  /** The maker; absent: the main agent. Of a subagent's own span, the subagent. */
  readonly agentId?: string
  readonly callId?: string
  readonly input?: Json
  /** The first and the last entry that it was made of. */
  readonly seqs: readonly [first: number, last: number]
  readonly startedAt: number
  /** Absent while it is open. */
  readonly endedAt?: number
  /** When its own work could begin: for a call, when its input was complete. */
  readonly readyAt: number
  /** They adjoin, and fill the span up to its end, or up to the last entry if it is open. */
  readonly phases: readonly Phase[]
  /** Of a model call: what was reported for it. */
  readonly usage?: UsageCounts
  /** Of a model call: how many characters the model has sent. */
  readonly written?: number
  /** Of a model call: when it has sent them. They follow each other, each about as long as a blink, or as long as a wait. */
  readonly writes?: readonly Writing[]
  /** Of a model call: the attempts that have failed before the one that succeeded. */
  readonly failures?: number
}

export type MarkKind = 'message' | 'tool' | 'failure' | 'approval'

/** A moment that stands out: a message of a person, a call, a failure, a question. */
export interface Mark {
  readonly kind: MarkKind
  readonly seq: number
  readonly at: number
  /** The call's tool, the message of the failure or of the question; empty if there is none. */
  readonly text: string
}

/** The times of a run so far. Immutable: a later one shares with it every span that did not change. */
export interface Spans {
  readonly runId: string
  readonly startedAt: number
  /** The end of the run; until then, the time of its last entry. */
  readonly endedAt: number
  readonly isOver: boolean
  readonly outcome?: Outcome
  /** In the order in which they began. */
  readonly spans: readonly Span[]
  readonly marks: readonly Mark[]
  /** The counts of the run as a whole. */
  readonly usage?: UsageCounts
}
