import type { Json, JsonObject } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'

/** The events of Anthropic: the fields that are read. The type of a field includes `null` if Anthropic sends it. */
export type RawEvent =
  | { readonly type: 'message_start'; readonly message: RawMessage }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: Block }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: Delta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | (Details & { readonly type: 'message_delta'; readonly delta?: Details | null; readonly usage?: RawUsage | null })
  | { readonly type: 'message_stop'; readonly 'amazon-bedrock-invocationMetrics'?: JsonObject }
  | { readonly type: 'ping' }
  | { readonly type: 'error'; readonly error?: RawError | string | null; readonly request_id?: string | null }
  | (RawMessage & { readonly type: 'message' })

type RawError = { readonly type?: string; readonly message?: string }

/** A message, or a change of it, with its details. */
export interface Details {
  readonly stop_reason?: string | null
  readonly [detail: string]: unknown
}

export type RawMessage<Content = readonly Block[]> = Details & { readonly role?: string } & Sparse<{
    id: string
    model: string
    content: Content
    usage: RawUsage
  }>

/** `input_tokens` excludes cache reads and writes. Every count is of the whole message so far. */
export type RawUsage = { readonly [other: string]: Json | undefined } & Sparse<
  Record<'input_tokens' | 'output_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens', number>
>

/** The caller of a tool: the model itself (`direct`), or a tool of the provider on its behalf. */
export type Caller = { readonly type: string; readonly tool_id?: string }

type ToolUse<Type extends string> = {
  readonly type: Type
  readonly name: string
  readonly input?: Json
} & Sparse<{ id: string; caller: Caller; server_name: string; toolset_name: string }>

export type AnyToolUse = ToolUse<'tool_use' | 'server_tool_use' | 'mcp_tool_use'>

/** The blocks that have an exact type; results are recognised by the end of their type. */
export type Block =
  | { readonly type: 'text'; readonly text?: string; readonly citations?: readonly Citation[] | null }
  | { readonly type: 'thinking'; readonly thinking?: string; readonly signature?: string | null }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | ToolUse<'tool_use'>
  | ToolUse<'server_tool_use'>
  | ToolUse<'mcp_tool_use'>
  | { readonly type: 'container_upload'; readonly file_id: string }
  | ({ readonly type: 'compaction' } & JsonObject)
  | ({ readonly type: 'mcp_tool_listing' } & JsonObject)
  | {
      readonly type: 'fallback'
      readonly from?: { readonly model: string } | null
      readonly to: { readonly model: string }
      readonly trigger?: Json
    }

export type ToolResult = { readonly type: string; readonly tool_use_id: string; readonly content?: Json } & Sparse<{
  is_error: boolean
  caller: Caller
}>

/** An image or a document that the model is shown. */
export interface MediaBlock {
  readonly type?: string
  readonly title?: string | null
  readonly source?: { readonly [field in 'type' | 'media_type' | 'data' | 'url' | 'file_id']?: string } | null
}

/** The position of a cited passage in its source. */
export type Citation = { readonly type: string } & Sparse<
  Record<'cited_text' | 'url' | 'source' | 'title' | 'document_title' | 'file_id', string>
>

export type Delta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'citations_delta'; readonly citation: Citation }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | ({ readonly type: 'compaction_delta' } & JsonObject)
