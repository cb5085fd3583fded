import type { Json, JsonObject } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'

type Typed<Type extends string, Fields = unknown> = Fields & { readonly type: Type }
type Indexed<Fields = unknown> = Fields & { readonly index: number }
type OfMessage<Fields> = { readonly delta: { readonly message: Readonly<Fields> } }

/** The second version of the Chat stream, as far as it is read. */
export type RawEvent =
  | Typed<'message-start', Sparse<{ id: string; delta: { readonly message?: RawMessage } }>>
  | Typed<'content-start', Indexed<OfMessage<{ content: Content }>>>
  | Typed<'content-delta', Indexed<OfMessage<{ content: Content }>> & Sparse<{ logprobs: Json }>>
  | Typed<'content-end', Indexed>
  | Typed<'tool-plan-delta', OfMessage<{ tool_plan: string }>>
  | Typed<'tool-call-start', Indexed<OfMessage<{ tool_calls: ToolCall }>>>
  | Typed<'tool-call-delta', Indexed<OfMessage<{ tool_calls: ToolCall }>>>
  | Typed<'tool-call-end', Indexed>
  | Typed<'citation-start', OfMessage<{ citations: Citation }>>
  | Typed<'citation-end'>
  | Typed<'message-end', Sparse<{ id: string; delta: Ending }>>
  | Debug

export type Debug = Typed<'debug', Sparse<{ prompt: string }>>

export type Content = Sparse<{ type: string; text: string; thinking: string }>

export type ToolCall = Sparse<{ id: string; function: Sparse<{ name: string; arguments: string }> }>

/** The sources of a passage. `content_index` is the content that holds the passage. */
export type Citation = Sparse<{ sources: readonly CitedSource[]; content_index: number }>

export type CitedSource = Sparse<{ id: string; document: JsonObject }>

export type RawMessage = Sparse<{
  content: readonly Content[]
  tool_plan: string
  tool_calls: readonly ToolCall[]
  citations: readonly Citation[]
}>

/** `usage.tokens` counts all used tokens, `usage.billed_units` those that are billed. */
export type Ending = Sparse<{ error: string; finish_reason: string; usage: JsonObject }>

/** A response that was not streamed. */
export type WholeResponse = Ending & { readonly message: RawMessage } & Sparse<{ id: string }>

/** The first version of the Chat stream, identified by `event_type`. */
export type OldEvent =
  | Typed<'stream-start', Sparse<{ generation_id: string }>>
  | Typed<'text-generation', { readonly text: string }>
  | Typed<'citation-generation', { readonly citations: readonly Json[] }>
  | Typed<'search-queries-generation', { readonly search_queries: readonly Json[] }>
  | Typed<'search-results', Sparse<{ search_results: readonly Json[]; documents: readonly JsonObject[] }>>
  | Typed<'tool-calls-chunk', Sparse<{ text: string; tool_call_delta: OldCallDelta }>>
  | Typed<'tool-calls-generation', { readonly tool_calls: readonly OldCall[] } & Sparse<{ text: string }>>
  | Typed<'stream-end', OldEnd>
  | Debug

type OldCallDelta = Sparse<{ index: number; name: string; parameters: string; text: string }>

export interface OldCall {
  readonly name: string
  readonly parameters?: Json
}

export type OldEnd = Sparse<{
  finish_reason: string
  error: string
  response: OldResponse
  'amazon-bedrock-invocationMetrics': JsonObject
}>

export type OldResponse = Sparse<{
  text: string
  tool_calls: readonly OldCall[]
  citations: readonly Json[]
  documents: readonly JsonObject[]
  search_queries: readonly Json[]
  search_results: readonly Json[]
  generations: readonly Sparse<{ text: string }>[]
  meta: JsonObject
  finish_reason: string
}>
