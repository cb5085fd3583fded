import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawResponse, RawUsage } from '../openai-responses/raw.ts'
import { itemOf } from './items.ts'
import type { ModelResponse, ModelUsage } from './raw.ts'

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
    type: isCut ? 'response.incomplete' : 'response.completed',
    response: {
      ...(id ? { id } : {}),
      output: (output ?? []).map(itemOf),
      usage: usageOf(usage),
      incomplete_details: isCut ? { reason: finishReason } : null,
    } satisfies RawResponse,
  }
}

function usageOf(usage: ModelUsage | null | undefined): RawUsage | null {
  if (usage === null || usage === undefined) return null
  const { inputTokens, outputTokens, inputTokensDetails: inputs, outputTokensDetails: outputs } = usage
  return {
    input_tokens: inputTokens ?? null,
    output_tokens: outputTokens ?? null,
    input_tokens_details: firstOf(inputs),
    output_tokens_details: firstOf(outputs),
  }
}

/** Details are one object, or one per request of the response. */
function firstOf(details: JsonObject | readonly JsonObject[] | null | undefined): JsonObject | null {
  return (Array.isArray(details) ? details[0] : (details as JsonObject | null | undefined)) ?? null
}

interface ChatChunk {
  readonly choices: readonly {
    readonly index?: number | null
    readonly finish_reason?: string | null
    readonly delta?: ChatDelta | null
  }[]
}

interface ChatDelta {
  readonly reasoning?: string | null
  readonly reasoning_content?: string | null
  readonly tool_calls?: readonly ChatCall[] | null
}

interface ChatCall {
  readonly index?: number | null
  readonly id?: string | null
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null
}

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
  const row = parts[(event as { readonly type?: string } | null)?.type ?? '']
  return row?.(event as Part)
}

/** Whether the choice that is read has the expected shape: an index is a number, a delta is an object. */
function isReadable(chunk: ChatChunk): boolean {
  const choice = choiceOf(chunk)
  if (choice === undefined) return chunk.choices.every(({ index }) => typeof index === 'number')
  const calls = choice.delta?.tool_calls ?? []
  return isJsonObject(choice.delta ?? {}) && calls.every(({ index }) => typeof (index ?? 0) === 'number')
}

function chatEvents({ reasoning, reasoning_content, tool_calls }: ChatDelta): readonly Translated[] {
  const thought = reasoning_content ?? reasoning
  return [...(thought ? [thoughtDelta(thought)] : []), ...(tool_calls ?? []).flatMap(callEvents)]
}

/** A call without an id or a name is read whole at the end. */
function callEvents({ index: rawIndex, id, function: called }: ChatCall): readonly Translated[] {
  const index = rawIndex ?? 0
  const start = id && called?.name ? [callStart(index, id, called.name)] : []
  return called?.arguments ? [...start, callDelta(index, called.arguments)] : start
}

const thoughtDelta = (delta: string): Translated => ({
  type: 'response.reasoning_text.delta',
  output_index: REASONING,
  delta,
})

const callStart = (output_index: number, call_id: string, name: string): Translated => ({
  type: 'response.output_item.added',
  output_index,
  item: { type: 'function_call', call_id, name, arguments: '' },
})

const callDelta = (output_index: number, delta: string): Translated => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
})

/** A part of the AI SDK's stream, through which some models are called. */
interface Part {
  readonly type: string
  readonly id?: string
  readonly toolName?: string
  readonly delta?: string
  readonly text?: string
}

const noEvents = () => []

const parts: { readonly [type: string]: ((part: Part) => readonly Translated[]) | undefined } = {
  'stream-start': noEvents,
  'response-metadata': noEvents,
  'text-start': noEvents,
  'text-delta': noEvents,
  'text-end': noEvents,
  'reasoning-start': noEvents,
  'reasoning-delta': ({ delta, text }) => [thoughtDelta(delta ?? text ?? '')],
  'reasoning-end': noEvents,
  'tool-input-start': ({ id = '', toolName: name = '' }) => [
    { type: 'response.output_item.added', item: { type: 'function_call', id, call_id: id, name, arguments: '' } },
  ],
  'tool-input-delta': ({ id: item_id = '', delta = '' }) => [
    { type: 'response.function_call_arguments.delta', item_id, delta },
  ],
  'tool-input-end': noEvents,
  'tool-call': noEvents,
  finish: noEvents,
}
