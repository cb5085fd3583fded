import type { Json, JsonObject } from '../json.ts'
import type { FileReference, Verbatim } from './request.ts'

// Arrays are mutable, because the types of the provider's own library take no readonly ones.

export interface AnthropicText {
  readonly type: 'text'
  readonly text: string
  readonly citations?: JsonObject[]
}

export type AnthropicSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string }
  | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }

export type AnthropicMedia =
  | { readonly type: 'image'; readonly source: AnthropicSource }
  | { readonly type: 'document'; readonly source: AnthropicSource; readonly title?: string }

export interface AnthropicToolResult<File = never> {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content?: string | (AnthropicText | AnthropicMedia | File)[]
  readonly is_error?: true
  readonly toolset_name?: string
}

export type AnthropicBlock<File = never> =
  | AnthropicText
  | AnthropicMedia
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | AnthropicToolUse
  | AnthropicToolResult<File>
  | { readonly type: 'container_upload'; readonly file_id: string }
  | Verbatim<'compaction' | 'mcp_tool_listing' | 'fallback'>
  /** The result of a tool that the provider ran. */
  | { readonly type: `${string}_tool_result`; readonly tool_use_id: string; readonly content: Json }
  | File

export interface AnthropicToolUse {
  readonly type: 'tool_use' | 'server_tool_use' | 'mcp_tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly caller?: Json
  readonly toolset_name?: string
  readonly server_name?: string
}

export interface AnthropicMessage<File = never> {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: AnthropicBlock<File>[]
}

export type AnthropicWithFiles = AnthropicMessage<FileReference>
