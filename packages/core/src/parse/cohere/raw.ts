import type { Json, JsonObject } from '../../json.ts'

/** The second version of the Chat stream, as far as it is read. */
export type RawEvent =
  | { readonly type: 'message-start'; readonly id?: string | null; readonly delta?: { readonly message?: RawMessage } }
  | ContentEvent<'content-start'>
  | ContentEvent<'content-delta'>
  | { readonly type: 'content-end'; readonly index: number }
  | { readonly type: 'tool-plan-delta'; readonly delta: { readonly message: { readonly tool_plan: string } } }
  | CallEvent<'tool-call-start'>
  | CallEvent<'tool-call-delta'>
  | { readonly type: 'tool-call-end'; readonly index: number }
  | {
      readonly type: 'citation-start'
      readonly index?: number
      readonly delta: { readonly message: { readonly citations: Citation } }
    }
  | { readonly type: 'citation-end'; readonly index?: number }
  | { readonly type: 'message-end'; readonly id?: string | null; readonly delta?: Ending | null }
  | { readonly type: 'debug'; readonly prompt?: string | null }

interface ContentEvent<Type> {
  readonly type: Type
  readonly index: number
  readonly delta: { readonly message: { readonly content: Content } }
  readonly logprobs?: Json
}

interface CallEvent<Type> {
  readonly type: Type
  readonly index: number
  readonly delta: { readonly message: { readonly tool_calls: ToolCall } }
}

export interface Content {
  readonly type?: string
  readonly text?: string | null
  readonly thinking?: string | null
}

export interface ToolCall {
  readonly id?: string | null
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null
}

/** The sources of a passage. `content_index` is the content that holds the passage. */
export type Citation = {
  readonly start?: number
  readonly end?: number
  readonly text?: string
  readonly sources?: readonly CitedSource[] | null
  readonly content_index?: number
}

export type CitedSource = {
  readonly type?: string
  readonly id?: string
  readonly document?: JsonObject | null
  readonly tool_output?: JsonObject | null
}

export interface RawMessage {
  readonly role?: string
  readonly content?: readonly Content[] | null
  readonly tool_plan?: string | null
  readonly tool_calls?: readonly ToolCall[] | null
  readonly citations?: readonly Citation[] | null
}

export interface Ending {
  readonly error?: string | null
  readonly finish_reason?: string | null
  readonly usage?: RawUsage | null
}

/** `tokens` counts all used tokens, `billed_units` those that are billed. */
export interface RawUsage {
  readonly tokens?: Counts | null
  readonly billed_units?: Counts | null
  readonly cached_tokens?: number | null
  readonly [other: string]: Json | Counts | undefined
}

type Counts = { readonly [kind: string]: number | null }

/** A response that was not streamed. */
export interface WholeResponse extends Ending {
  readonly id?: string | null
  readonly message: RawMessage
}

/** The first version of the Chat stream, identified by `event_type`. */
export type OldEvent =
  | { readonly type: 'stream-start'; readonly generation_id?: string | null }
  | { readonly type: 'text-generation'; readonly text: string }
  | { readonly type: 'citation-generation'; readonly citations: readonly Json[] }
  | { readonly type: 'search-queries-generation'; readonly search_queries: readonly Json[] }
  | {
      readonly type: 'search-results'
      readonly search_results?: readonly Json[] | null
      readonly documents?: readonly JsonObject[] | null
    }
  | {
      readonly type: 'tool-calls-chunk'
      readonly text?: string | null
      readonly tool_call_delta?: OldCallDelta | null
    }
  | { readonly type: 'tool-calls-generation'; readonly text?: string | null; readonly tool_calls: readonly OldCall[] }
  | OldEnd
  | { readonly type: 'debug'; readonly prompt?: string | null }

interface OldCallDelta {
  readonly index?: number
  readonly name?: string | null
  readonly parameters?: string | null
  readonly text?: string | null
}

export interface OldCall {
  readonly name: string
  readonly parameters?: Json
}

export interface OldEnd {
  readonly type: 'stream-end'
  readonly finish_reason?: string | null
  readonly error?: string | null
  readonly response?: OldResponse | null
  readonly 'amazon-bedrock-invocationMetrics'?: JsonObject
}

export type OldResponse = {
  readonly text?: string | null
  readonly tool_calls?: readonly OldCall[] | null
  readonly citations?: readonly Json[] | null
  readonly documents?: readonly JsonObject[] | null
  readonly search_queries?: readonly Json[] | null
  readonly search_results?: readonly Json[] | null
  readonly generations?: readonly { readonly text?: string | null }[] | null
  readonly meta?: { readonly tokens?: Counts | null; readonly billed_units?: Counts | null } | null
  readonly finish_reason?: string | null
}
