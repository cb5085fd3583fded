import { present } from '../../data/present.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'
import { namesIn } from '../kit/rows.ts'
import type { RawResponse } from '../openai-responses/raw.ts'
import { itemOf, type ProtocolItem } from './items.ts'

/** What a model sends, with the names of the JavaScript library. */
export type ModelEvent =
  | { readonly type: 'response_started'; readonly providerData?: JsonObject | null }
  | { readonly type: 'output_text_delta'; readonly delta: string }
  | { readonly type: 'response_done'; readonly response: ModelResponse }
  | { readonly type: 'model'; readonly event: unknown }

type ModelResponse = Sparse<{ id: string; output: readonly ProtocolItem[]; usage: ModelUsage }>

/** Details are one object, or one per request of the response. */
type ModelUsage = Sparse<{
  inputTokens: number
  outputTokens: number
  inputTokensDetails: JsonObject | readonly JsonObject[]
  outputTokensDetails: JsonObject | readonly JsonObject[]
}>

/** The indexes of the only text and the only thought of a chat message; its calls are counted from 0. */
export const TEXT = -1
const REASONING = -2

/** An event of the Responses API, translated from another provider's event. */
export type Translated = { readonly type: string; readonly [field: string]: unknown }

/** The start of a response, from the first event of any provider. */
export function startOf(first: JsonObject | null | undefined): RawResponse {
  const { response, id, model, created, service_tier, system_fingerprint } = first ?? {}
  if (typeof response === 'object' && response !== null) return response as RawResponse
  return { id: id as string, model: model as string, created_at: created as number, service_tier, system_fingerprint }
}

/** The end of a response whose events cannot be read; it holds the whole response. */
export function endOf({ id, output, usage }: ModelResponse, finishReason: string | undefined): Translated {
  const isCut = finishReason === 'length' || finishReason === 'content_filter'
  return {
    type: 'response.completed',
    response: {
      ...(id ? { id } : {}),
      output: (output ?? []).map(itemOf),
      usage: usageOf(usage),
      incomplete_details: isCut ? { reason: finishReason } : null,
    } satisfies RawResponse,
  }
}

function usageOf(usage: ModelUsage | null | undefined): JsonObject | null {
  if (usage === null || usage === undefined) return null
  const { inputTokens, outputTokens, inputTokensDetails: inputs, outputTokensDetails: outputs } = usage
  return {
    input_tokens: inputTokens ?? null,
    output_tokens: outputTokens ?? null,
    input_tokens_details: [inputs].flat()[0] ?? null,
    output_tokens_details: [outputs].flat()[0] ?? null,
  }
}

interface ChatChunk {
  readonly choices: readonly Sparse<{ index: number; finish_reason: string; delta: ChatDelta }>[]
}

type ChatDelta = Sparse<{ reasoning: string; reasoning_content: string; tool_calls: readonly ChatCall[] }>
type ChatCall = Sparse<{ index: number; id: string; function: Sparse<{ name: string; arguments: string }> }>

/** The finish reason of a chunk; undefined for other events. */
export function finishOf(event: unknown): string | undefined {
  return isChunk(event) ? (choiceOf(event)?.finish_reason ?? undefined) : undefined
}

function isChunk(event: unknown): event is ChatChunk {
  return Array.isArray((event as Partial<ChatChunk> | null)?.choices)
}

/** The library reads only the first choice. */
function choiceOf({ choices }: ChatChunk) {
  return choices.find(({ index }) => (index ?? 0) === 0)
}

/** What the library itself does not stream; it does stream text. Returns undefined if the event is not recognised. */
export function translate(event: unknown): readonly Translated[] | undefined {
  if (isChunk(event)) return isReadable(event) ? chatEvents(choiceOf(event)?.delta ?? {}) : undefined
  return isJsonObject(event) ? partEvents(event as unknown as Part) : undefined
}

/** Whether the choice that is read has the expected shape: it is an object, as its delta is, and an index is a number. */
function isReadable(chunk: ChatChunk): boolean {
  const choice = choiceOf(chunk)
  if (choice === undefined) return chunk.choices.every(({ index }) => typeof index === 'number')
  const calls = choice.delta?.tool_calls ?? []
  const isPlain = isJsonObject(choice) && isJsonObject(choice.delta ?? {})
  return isPlain && calls.every(({ index }) => typeof (index ?? 0) === 'number')
}

function chatEvents({ reasoning, reasoning_content, tool_calls }: ChatDelta): readonly Translated[] {
  const thought = reasoning_content ?? reasoning
  const events = thought ? [thoughtDelta(thought)] : []
  for (const { index, id, function: called } of tool_calls ?? []) {
    const output_index = index ?? 0
    // A call without an id or a name is read whole at the end.
    if (id && called?.name) events.push({ ...callStart(id, called.name), output_index })
    if (called?.arguments) events.push({ ...inputDelta(called.arguments), output_index })
  }
  return events
}

const thoughtDelta = (delta: string): Translated => ({
  type: 'response.reasoning_text.delta',
  output_index: REASONING,
  delta,
})

const callStart = (call_id: string, name: string, id?: string): Translated => ({
  type: 'response.output_item.added',
  item: { type: 'function_call', call_id, name, arguments: '', ...present({ id }) },
})

const inputDelta = (delta: string): Translated => ({ type: 'response.function_call_arguments.delta', delta })

/** A part of the AI SDK's stream, through which some models are called. */
interface Part {
  readonly type: string
  readonly id?: string
  readonly toolName?: string
  readonly delta?: string
  readonly text?: string
}

/** Parts that the library itself streams, or that the end of the response repeats. */
const SILENT_PARTS = namesIn(
  'stream-start response-metadata text-start text-delta text-end reasoning-start reasoning-end tool-input-end tool-call finish',
)

function partEvents({ type, id = '', toolName = '', delta, text }: Part): readonly Translated[] | undefined {
  if (type === 'reasoning-delta') return [thoughtDelta(delta ?? text ?? '')]
  if (type === 'tool-input-start') return [callStart(id, toolName, id)]
  if (type === 'tool-input-delta') return [{ ...inputDelta(delta ?? ''), item_id: id }]
  return SILENT_PARTS.has(type) ? [] : undefined
}
