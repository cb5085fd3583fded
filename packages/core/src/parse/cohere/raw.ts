import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { type RawRecord, TERMINATOR } from '../../source/source.ts'
import { objectIn, type Sparse } from '../kit/fields.ts'
import { bySigns, sign } from '../kit/signs.ts'
import type { Recognition } from '../parser.ts'

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

/** Other streams use the same types: a record is recognised by the field of `delta.message` that its type has. */
const carries = (field: string) => sign(1, ({ delta }) => field in objectIn(objectIn(delta).message))
const hasIndex = sign(0.7, ({ index }) => typeof index === 'number')

const recognizeEvent = bySigns(
  {
    'message-start': sign(1, ({ delta }) => isJsonObject(objectIn(delta).message)),
    'content-start': carries('content'),
    'content-delta': carries('content'),
    'content-end': hasIndex,
    'tool-plan-delta': carries('tool_plan'),
    'tool-call-start': carries('tool_calls'),
    'tool-call-delta': carries('tool_calls'),
    'tool-call-end': hasIndex,
    'citation-start': carries('citations'),
    'citation-end': hasIndex,
    'message-end': sign(0.95, ({ delta }) => 'finish_reason' in objectIn(delta) || 'usage' in objectIn(delta)),
    response: sign(0.9, ({ message, finish_reason, usage }) => {
      const isWhole = objectIn(message).role === 'assistant' && typeof finish_reason === 'string'
      return isWhole && ('tokens' in objectIn(usage) || 'billed_units' in objectIn(usage))
    }),
  },
  (type) => `a record is a Cohere ${type}`,
  ({ type }) => (typeof type === 'string' ? type : 'response'),
)

const OLD_TYPES =
  /^(?:stream-(?:start|end)|(?:text|citation|search-queries|tool-calls)-generation|search-results|tool-calls-chunk|debug)$/

export function recognize(record: RawRecord): Recognition | undefined {
  const { value } = record
  if (value === TERMINATOR) return { certainty: 0.3, reason: `the stream says ${TERMINATOR}` }
  if (!isJsonObject(value) || typeof value.is_finished !== 'boolean') return recognizeEvent(record)
  const { event_type, text, finish_reason } = value
  if (typeof event_type === 'string' && OLD_TYPES.test(event_type))
    return { certainty: 0.95, reason: `a record is a Cohere ${event_type}` }
  const isGenerated = event_type === undefined && (typeof text === 'string' || typeof finish_reason === 'string')
  return isGenerated ? { certainty: 0.7, reason: 'a record is text that Cohere generated' } : undefined
}
