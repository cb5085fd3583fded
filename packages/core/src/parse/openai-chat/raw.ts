import type { Json, JsonObject } from '../../json.ts'

/** A chunk, or a whole completion, as far as it is read. Vendors omit fields, or send them as null or empty. */
export interface Chunk {
  readonly id?: string | null
  readonly object?: string | null
  readonly model?: string | null
  readonly choices?: readonly Choice[] | null
  readonly usage?: RawUsage | null
  readonly x_groq?: { readonly usage?: RawUsage | null; readonly error?: unknown } | null
  readonly error?: unknown
  readonly citations?: unknown
  readonly search_results?: unknown
  readonly cost?: unknown
  readonly [other: string]: unknown
}

export interface Choice {
  readonly index?: number | null
  readonly delta?: Delta | null
  /** The whole message if it is not streamed; from some vendors the message so far, beside the delta. */
  readonly message?: Delta | null
  /** The text of a text completion, instead of a delta. */
  readonly text?: string | null
  readonly finish_reason?: string | null
  readonly logprobs?: JsonObject | null
  readonly error?: unknown
  readonly [other: string]: unknown
}

export interface Delta {
  readonly role?: string | null
  readonly content?: string | readonly Part[] | null
  readonly refusal?: string | null
  readonly tool_calls?: readonly ToolCall[] | null
  readonly function_call?: CalledFunction | null
  readonly reasoning_details?: readonly ReasoningDetail[] | null
  readonly executed_tools?: unknown
  readonly annotations?: unknown
  readonly images?: unknown
  readonly audio?: unknown
  readonly [other: string]: unknown
}

/** An element of Mistral's content list. */
export type Part = JsonObject & { readonly type: string }

export interface CalledFunction {
  readonly name?: string | null
  readonly arguments?: Json
}

export interface ToolCall {
  readonly index?: number | null
  readonly id?: string | null
  readonly function?: CalledFunction | null
  /** A tool that takes free text. */
  readonly custom?: { readonly name?: string | null; readonly input?: string | null } | null
  readonly extra_content?: unknown
}

/** OpenRouter's form of reasoning, which must be sent back. */
export interface ReasoningDetail {
  readonly type?: string | null
  readonly text?: string | null
  readonly summary?: string | null
  readonly data?: string | null
  readonly signature?: string | null
  readonly id?: string | null
  readonly format?: string | null
  readonly index?: number | null
}

/** Prompt tokens include cached tokens. Every count covers the whole response so far. */
export interface RawUsage {
  readonly prompt_tokens?: number | null
  readonly completion_tokens?: number | null
  readonly [other: string]: Json | undefined
}
