import type { Json, JsonObject } from '../../json.ts'

/** A run's stream with the names of both languages, as far as it is read. */
export type RawEvent =
  | { readonly type: 'raw_response_event'; readonly data: unknown }
  | { readonly type: 'raw_model_stream_event'; readonly data: unknown }
  | { readonly type: 'run_item_stream_event'; readonly name?: string; readonly item: RunItem }
  | { readonly type: 'agent_updated_stream_event'; readonly agent?: RawAgent; readonly new_agent?: RawAgent }

/** The current agent; some senders write only its name. */
export type RawAgent = string | ({ readonly name?: string } & JsonObject) | null

export interface RunItem {
  readonly type: string
  readonly rawItem?: ProtocolItem | null
  readonly raw_item?: ProtocolItem | null
  readonly agent?: RawAgent
  readonly output?: Json
  readonly toolName?: string | null
}

/** An item of either language: JavaScript puts fields that only the provider understands in `providerData`. */
export type ProtocolItem = {
  readonly type: string
  readonly role?: string
  readonly providerData?: JsonObject | null
  readonly [field: string]: Json | undefined
}

/** What a model sends, with the names of the JavaScript library. */
export type ModelEvent =
  | { readonly type: 'response_started'; readonly providerData?: JsonObject | null }
  | { readonly type: 'output_text_delta'; readonly delta: string }
  | { readonly type: 'response_done'; readonly response: ModelResponse }
  | { readonly type: 'model'; readonly event: unknown }

export interface ModelResponse {
  readonly id?: string | null
  readonly output?: readonly ProtocolItem[] | null
  readonly usage?: ModelUsage | null
}

export interface ModelUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly inputTokensDetails?: JsonObject | readonly JsonObject[] | null
  readonly outputTokensDetails?: JsonObject | readonly JsonObject[] | null
}
