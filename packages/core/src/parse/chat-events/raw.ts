import type {
  BlockVariant,
  Meta,
  Role,
  RunBy,
  RunError,
  SubagentStatus,
  TodoItem,
  UsageCounts,
} from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'

/** What every folded piece carries. An export that was written by hand may leave all of it out. */
export interface RawPiece {
  readonly startedAt?: number
  readonly endedAt?: number
  readonly seqs?: readonly [first: number, last: number]
  readonly meta?: Meta
}

interface RawBlock<Type extends 'text' | 'reasoning'> extends RawPiece {
  readonly type: Type
  readonly id: string
  readonly text: string
  readonly variant?: BlockVariant
  readonly state: 'live' | 'done' | 'interrupted'
  readonly citations?: readonly Json[]
  readonly signature?: string
  readonly encrypted?: string
}

export type RawProse = RawBlock<'text'> | RawBlock<'reasoning'>

export interface RawQuestion {
  readonly approvalId: string
  readonly state: EventOf<'approval'>['state']
  readonly message?: string
  readonly request?: Json
  readonly answer?: Json
}

export interface RawTool extends RawPiece {
  readonly type: 'tool'
  readonly callId: string
  readonly name: string
  readonly title?: string
  readonly runBy?: RunBy
  readonly state: 'input' | 'ready' | 'approval' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled'
  readonly server?: string
  readonly parentCallId?: string
  readonly input?: Json
  readonly inputText?: string
  readonly approval?: RawQuestion
  readonly progress?: readonly Omit<EventOf<'tool-progress'>, 'type' | 'callId'>[]
  readonly output?: Json
  readonly error?: string
  readonly shownAs?: 'todos' | 'subagent'
}

export interface RawTodos extends RawPiece {
  readonly type: 'todos'
  readonly listId: string
  readonly items: readonly TodoItem[]
}

export interface RawStatus extends RawPiece {
  readonly type: 'status'
  readonly lines: readonly {
    readonly message: string
    readonly level: EventOf<'status'>['level']
    readonly at?: number
  }[]
}

export interface RawSubagent extends RawPiece {
  readonly type: 'subagent'
  readonly agentId: string
  readonly name: string
  readonly task?: string
  readonly callId?: string
  readonly state: 'live' | SubagentStatus
  readonly summary?: string
  readonly segments: readonly RawSegment[]
}

export type RawApproval = RawPiece & RawQuestion & { readonly type: 'approval' }

/** Pieces that are their event, with a place in time. */
export type RawOwn = RawPiece & EventOf<'source' | 'file' | 'data' | 'error'>

export type RawSegment = RawProse | RawTool | RawTodos | RawStatus | RawSubagent | RawApproval | RawOwn

export interface RawChatEvent extends RawPiece {
  readonly id: string
  readonly runId?: string
  readonly role: Role
  readonly state: 'live' | 'done' | 'interrupted' | 'retracted'
  readonly segments: readonly RawSegment[]
  readonly model?: string
  readonly usage?: UsageCounts
}

/** A run or a thread as a server gives it: chat events, and what is known of their end. */
export interface RawRun {
  readonly chatEvents: readonly RawChatEvent[]
  readonly outcome?: EventOf<'run-end'>['outcome']
  readonly error?: RunError
}
