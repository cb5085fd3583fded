import type { Json, JsonObject } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'

interface Other {
  readonly [field: string]: unknown
}

/** A chunk, or a whole completion, as far as it is read. Vendors omit fields, or send them as null or empty. */
export type Chunk = Other &
  Sparse<{
    id: string
    object: string
    model: string
    choices: readonly Choice[]
    usage: RawUsage
    x_groq: Sparse<{ usage: RawUsage; error: unknown }>
  }>

/**
 * `message` is the whole message if it is not streamed; from some vendors the message so far, beside the delta. A text
 * completion has its text instead of a delta.
 */
export type Choice = Other &
  Sparse<{ index: number; delta: Delta; message: Delta; text: string; finish_reason: string; logprobs: JsonObject }>

export type Delta = Other &
  Sparse<{
    role: string
    content: string | readonly Part[]
    refusal: string
    tool_calls: readonly ToolCall[]
    function_call: CalledFunction
    reasoning_details: readonly ReasoningDetail[]
  }>

/** An element of Mistral's content list. */
export type Part = JsonObject & { readonly type: string }

export type CalledFunction = Sparse<{ name: string; arguments: Json }>

/** `custom` is a tool that takes free text. */
export type ToolCall = Sparse<{
  index: number
  id: string
  function: CalledFunction
  custom: Sparse<{ name: string; input: string }>
  extra_content: unknown
}>

/** OpenRouter's form of reasoning, which must be sent back. */
export type ReasoningDetail = Sparse<
  Record<'type' | 'text' | 'summary' | 'data' | 'signature' | 'id' | 'format', string> & { index: number }
>

/** Prompt tokens include cached tokens. Every count covers the whole response so far. */
export type RawUsage = JsonObject & Sparse<{ prompt_tokens: number; completion_tokens: number }>
