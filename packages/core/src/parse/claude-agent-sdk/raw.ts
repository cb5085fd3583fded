import type { Json, JsonObject } from '../../json.ts'
import type { Block, MediaBlock, RawMessage } from '../anthropic-messages/raw.ts'

/** Fields of all lines. A live line names its session `session_id`, a stored one `sessionId`. */
export interface Line {
  readonly uuid?: string | null
  readonly timestamp?: string | number | null
  /** The call that started the subagent whose line this is. */
  readonly parent_tool_use_id?: string | null
  readonly parentToolUseID?: string | null
  readonly subagent_type?: string | null
  readonly task_description?: string | null
  /** Only on stored lines: whether a subagent wrote it, the line that it follows, and the subagent's own id. */
  readonly isSidechain?: boolean | null
  readonly parentUuid?: string | null
  readonly agentId?: string | null
}

export interface AssistantLine extends Line {
  readonly type: 'assistant'
  readonly message: RawMessage<readonly Block[] | string>
  readonly error?: string | null
  readonly request_id?: string | null
  readonly requestId?: string | null
  /** The lines that this line replaces. */
  readonly supersedes?: readonly string[] | null
  readonly aborted?: boolean | null
}

export interface UserLine extends Line {
  readonly type: 'user'
  readonly message: { readonly content?: UserContent | null } | string
  readonly tool_use_result?: Json
  readonly toolUseResult?: Json
  readonly isReplay?: boolean | null
  readonly isSynthetic?: boolean | null
  readonly isMeta?: boolean | null
  readonly isCompactSummary?: boolean | null
  readonly origin?: { readonly kind?: string } | null
}

export type UserContent = string | readonly (UserBlock | string)[]

export interface UserBlock extends MediaBlock {
  readonly type: string
  readonly text?: string
  readonly tool_use_id?: string | null
  readonly content?: Json
  readonly is_error?: boolean | null
  readonly error?: Json
}

export interface StreamLine extends Line {
  readonly type: 'stream_event'
  readonly event: { readonly type: string; readonly index?: number; readonly message?: JsonObject }
  /** The message that the event belongs to. */
  readonly api_message_id?: string | null
}

export interface ResultLine extends Line {
  readonly type: 'result'
  readonly subtype?: string | null
  readonly is_error?: boolean | null
  readonly result?: Json
  readonly errors?: readonly Json[] | null
  readonly usage?: JsonObject | null
  readonly total_cost_usd?: number | null
  readonly duration_ms?: number | null
  readonly num_turns?: number | null
  readonly stop_reason?: string | null
  readonly terminal_reason?: string | null
  readonly deferred_tool_use?: Json
  readonly [other: string]: Json | undefined
}

/** A line for many purposes, selected by the subtype. */
export interface SystemLine extends Line {
  readonly type: 'system'
  readonly subtype?: string | null
  readonly content?: Json
  readonly level?: string | null
  readonly [other: string]: Json | undefined
}

/** Reports work under way in a stored session; for a subagent, its lines. */
export interface ProgressLine extends Line {
  readonly type: 'progress'
  readonly toolUseID?: string | null
  readonly data: {
    readonly type?: string
    readonly message?: AssistantLine | UserLine | null
    readonly agentId?: string
    readonly [other: string]: unknown
  }
}

/** Any other line, with fields of its own. */
export interface PlainLine<Type extends string> extends Line {
  readonly type: Type
  readonly [other: string]: Json | undefined
}
