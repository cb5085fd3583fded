import type { Json, JsonObject } from '../../json.ts'

/** The records of `codex exec --json`, as far as they are read. Older releases had other names for some of them. */
export type RawEvent =
  | { readonly type: 'thread.started'; readonly thread_id?: string }
  | { readonly type: 'thread.resumed'; readonly thread_id?: string }
  | { readonly type: 'session.created'; readonly session_id?: string }
  | { readonly type: 'turn.started'; readonly turn_id?: string }
  | { readonly type: 'turn.completed'; readonly usage?: RawUsage | null }
  | { readonly type: 'turn.failed'; readonly error?: RawError | string | null }
  | ({ readonly type: 'item.created' } & Carrier)
  | ({ readonly type: 'item.started' } & Carrier)
  | ({ readonly type: 'item.updated' } & Carrier)
  | ({ readonly type: 'item.completed' } & Carrier)
  | ({ readonly type: 'item.failed' } & Carrier)
  | { readonly type: 'item.delta'; readonly item_id: string; readonly item_type?: string; readonly delta: TextDelta }
  | { readonly type: 'item.plan.delta'; readonly item_id: string; readonly delta: string }
  | {
      readonly type: 'request_user_input'
      readonly call_id: string
      readonly questions: readonly { readonly question?: string }[]
    }
  | { readonly type: 'error'; readonly message?: string | null; readonly error?: RawError | null }

interface RawError {
  readonly message?: string | null
}

type TextDelta = string | { readonly text_delta?: string; readonly text?: string }

/** An item is in `item`. In some older releases its fields are beside the type. */
export interface Carrier {
  readonly item?: RawItem
  readonly item_id?: string
  readonly item_type?: string
  readonly status?: string
  readonly content?: JsonObject | string
}

/** Every count is of the whole thread so far. `input_tokens` includes cached tokens. */
export interface RawUsage {
  readonly input_tokens?: number | null
  readonly cached_input_tokens?: number | null
  readonly cache_write_input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly reasoning_output_tokens?: number | null
}

export interface RawItem {
  readonly id: string
  readonly type?: string
  readonly item_type?: string
  readonly status?: string | null
}

export interface ProseItem extends RawItem {
  readonly text?: string | null
  readonly content?: string | null
  readonly phase?: string | null
}

export interface CommandItem extends RawItem {
  readonly command: string
  readonly aggregated_output?: string | null
  readonly exit_code?: number | null
}

export interface FileChangeItem extends RawItem {
  readonly changes: readonly Json[]
}

export interface McpItem extends RawItem {
  readonly server?: string | null
  readonly tool: string
  readonly arguments?: Json
  readonly result?: { readonly content?: readonly Json[] | null; readonly structured_content?: Json } | null
  readonly error?: RawError | null
}

export interface CollabItem extends RawItem {
  readonly tool?: string | null
  readonly receiver_thread_ids?: readonly string[] | null
  readonly prompt?: string | null
  readonly agents_states?: { readonly [threadId: string]: AgentState } | null
}

export type AgentState = { readonly status?: string; readonly message?: string | null }

export interface SearchItem extends RawItem {
  readonly query?: string | null
  readonly action?: JsonObject | null
}

export interface TodoListItem extends RawItem {
  readonly items: readonly {
    readonly text: string
    readonly completed?: boolean | null
    readonly status?: string | null
  }[]
}
