import type { BlockVariant, Meta, Role, RunError, SubagentStatus, UsageCounts } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'

/** Fields of everything that was folded. An export that was written by hand may leave all of them out. */
export interface RawSpan {
  readonly startedAt?: number
  readonly endedAt?: number
  readonly seqs?: readonly [first: number, last: number]
  readonly meta?: Meta
}

type PatchFields = Pick<EventOf<'block-patch'>, 'citations' | 'signature' | 'encrypted' | 'answer'>

export interface RawProse extends RawSpan, PatchFields {
  readonly type: 'text' | 'reasoning'
  readonly id: string
  readonly text: string
  readonly variant?: BlockVariant
  readonly state: 'live' | 'done' | 'interrupted'
}

export type RawQuestion = Pick<
  EventOf<'approval'>,
  'approvalId' | 'state' | 'message' | 'request' | 'answer' | 'reason' | 'remember' | 'input'
>

type StartFields = Pick<EventOf<'tool-start'>, 'callId' | 'name' | 'title' | 'server' | 'parentCallId'>

export interface RawTool extends RawSpan, StartFields {
  readonly type: 'tool'
  readonly runBy?: EventOf<'tool-start'>['runBy']
  readonly state: 'input' | 'ready' | 'approval' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled'
  readonly input?: Json
  readonly inputText?: string
  readonly approval?: RawQuestion
  readonly progress?: readonly Omit<EventOf<'tool-progress'>, 'type' | 'callId'>[]
  readonly output?: Json
  readonly error?: string
  readonly shownAs?: 'todos' | 'subagent' | 'answer'
}

export type RawTodos = RawSpan & Pick<EventOf<'todos'>, 'type' | 'listId' | 'items'>

export interface RawStatus extends RawSpan {
  readonly type: 'status'
  readonly lines: readonly (Pick<EventOf<'status'>, 'message' | 'level'> & { readonly at?: number })[]
}

export interface RawSubagent extends RawSpan, Pick<EventOf<'subagent-start'>, 'name' | 'task' | 'callId'> {
  readonly type: 'subagent'
  readonly agentId: string
  readonly state: 'live' | SubagentStatus
  readonly summary?: string
  readonly segments: readonly RawSegment[]
}

export type RawApproval = RawSpan & RawQuestion & { readonly type: 'approval' }

/** Segments that hold an event as it is, with its times. */
export type RawEventSegment = RawSpan & EventOf<'source' | 'file' | 'data' | 'error'>

export type RawSegment = RawProse | RawTool | RawTodos | RawStatus | RawSubagent | RawApproval | RawEventSegment

export type RawStep = Pick<RawSpan, 'seqs'> &
  Pick<EventOf<'step-start'>, 'kind' | 'number' | 'name'> & { readonly usage?: UsageCounts }

export interface RawChatEvent extends RawSpan {
  readonly id: string
  readonly runId?: string
  readonly role: Role
  readonly state: 'live' | 'done' | 'interrupted' | 'retracted'
  readonly segments: readonly RawSegment[]
  readonly model?: string
  readonly usage?: UsageCounts
  /** Of the last message of a run: what the run used as a whole, by its own report. */
  readonly runUsage?: UsageCounts
  readonly steps?: readonly RawStep[]
}

/** A run or a thread as a server returns it: chat events and, if known, the outcome. */
export interface RawRun {
  readonly chatEvents: readonly RawChatEvent[]
  readonly outcome?: EventOf<'run-end'>['outcome']
  readonly error?: RunError
  /** Of a run. */
  readonly usage?: UsageCounts
  /** Of a thread. */
  readonly runs?: readonly { readonly id: string; readonly usage?: UsageCounts }[]
}
