import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { type Handlers, joined, SILENT, understood } from '../parser.ts'
import { addPlan, endBlock, inputDelta, type Message, startBlock, startCall } from './message.ts'
import type { OldCall, OldEnd, OldEvent, OldResponse } from './raw.ts'
import { cite, documentSource } from './sources.ts'

/** What the handlers of the first version need from the parser. */
export interface Host {
  /** The open message, begun if there is none, and the events of its start. */
  openMessage(id?: string | null): { readonly message: Message; readonly startEvents: readonly StreamEvent[] }
  finish(end: OldEnd): StreamEvent[]
}

const TEXT = 'text'

/** The first version: one text without a start or an end, calls without ids, and the whole response at the end. */
export function firstVersion(host: Host): Handlers<OldEvent> {
  return {
    'stream-start': ({ generation_id }) => host.openMessage(generation_id ?? '').startEvents,
    'text-generation': ({ text }) => withMessage((message) => addText(message, text)),
    'citation-generation': ({ citations }) =>
      withMessage((message) =>
        message.lastText === undefined ? [] : understood(cite(message, message.lastText, citations)),
      ),
    'search-queries-generation': ({ search_queries }) => withMessage((message) => startSearch(message, search_queries)),
    'search-results': ({ search_results, documents }) =>
      withMessage((message) => endSearch(message, search_results ?? [], documents ?? [])),
    'tool-calls-chunk': ({ text, tool_call_delta: call }) =>
      withMessage((message) => {
        const events = [
          ...addPlan(message, text ?? call?.text ?? ''),
          ...(call ? readCall(message, call.index ?? 0, call.name, call.parameters) : []),
        ]
        return call || typeof text === 'string' ? understood(events) : events
      }),
    'tool-calls-generation': ({ text, tool_calls }) =>
      withMessage((message) => understood(wholeCalls(message, tool_calls, text ?? ''))),
    'stream-end': (end) =>
      withMessage((message) => [
        ...readAgain(message, end.response ?? {}),
        ...metadata(metricsOf(end)),
        ...host.finish(end),
      ]),
    debug: ({ prompt }) => (prompt ? [{ type: 'metadata', metadata: { prompt } }] : []),
  }

  function withMessage(read: (message: Message) => readonly StreamEvent[]): readonly StreamEvent[] {
    const { message, startEvents } = host.openMessage()
    return joined([understood(startEvents), read(message)])
  }
}

function metricsOf({ 'amazon-bedrock-invocationMetrics': metrics }: OldEnd): object {
  return metrics === undefined ? {} : { 'amazon-bedrock-invocationMetrics': metrics }
}

function addText(message: Message, text: string): readonly StreamEvent[] {
  if (text === '') return SILENT
  const start = message.blocks.has(TEXT) ? [] : startBlock(message, TEXT, 'text')
  return [...start, { type: 'block-delta', blockId: `${message.messageId}:${TEXT}`, text }]
}

const callIdOf = ({ messageId }: Message, index: number) => `${messageId}:call-${index}`

function readCall(
  message: Message,
  index: number,
  name: string | null | undefined,
  parameters: string | null | undefined,
): StreamEvent[] {
  const callId = callIdOf(message, index)
  const start = name && !message.calls.has(index) ? startCall(message, index, callId, name) : []
  return [...start, ...inputDelta(callId, parameters)]
}

/** The whole calls, whether or not they were streamed. */
function wholeCalls(message: Message, calls: readonly OldCall[], plan: string): StreamEvent[] {
  const planEvents = message.plans === 0 ? addPlan(message, plan) : []
  const events = calls.flatMap(({ name, parameters }, index): StreamEvent[] => {
    const start = message.calls.has(index) ? [] : startCall(message, index, callIdOf(message, index), name)
    return [...start, { type: 'tool-input', callId: callIdOf(message, index), input: parameters ?? {} }]
  })
  message.calls.clear()
  return [...planEvents, ...events]
}

const searchIdOf = ({ messageId }: Message) => `${messageId}:search`

function startSearch(message: Message, queries: readonly Json[]): StreamEvent[] {
  const callId = searchIdOf(message)
  if (message.emittedIds.has(callId)) return []
  message.emittedIds.add(callId)
  return [
    { type: 'tool-start', callId, name: 'search', runBy: 'provider' },
    { type: 'tool-input', callId, input: queries.length === 0 ? {} : { search_queries: queries } },
  ]
}

function endSearch(message: Message, results: readonly Json[], documents: readonly JsonObject[]): StreamEvent[] {
  const callId = searchIdOf(message)
  return [
    ...startSearch(message, []),
    { type: 'tool-output', callId, status: 'ok', output: results },
    ...documents.flatMap((document) => documentSource(message, document, { callId })),
  ]
}

/** The end repeats the whole response. What was not streamed is read, other fields become metadata. */
function readAgain(message: Message, response: OldResponse): StreamEvent[] {
  const { text, tool_calls, citations, documents, search_queries, search_results, meta, generations, ...otherFields } =
    response
  const wholeText = text ?? generations?.[0]?.text ?? ''
  const calls = message.callCount > 0 || !tool_calls ? [] : wholeCalls(message, tool_calls, wholeText)
  return [
    ...calls,
    ...(message.callCount === 0 || message.lastText !== undefined ? readText(message, wholeText) : []),
    ...readCitations(message, citations ?? []),
    ...(documents ?? []).flatMap((document) => documentSource(message, document, {})),
    ...endBlock(message, TEXT),
    ...metadata(otherFields),
  ]
}

/** The whole text corrects the streamed one. */
function readText(message: Message, text: string): readonly StreamEvent[] {
  const { lastText: blockId } = message
  if (blockId === undefined) return addText(message, text)
  return text === '' ? [] : [{ type: 'block-patch', blockId, text }]
}

function readCitations(message: Message, citations: readonly Json[]): StreamEvent[] {
  const { lastText: blockId } = message
  return blockId === undefined || message.citations.has(blockId) ? [] : cite(message, blockId, citations)
}

export function metadata(fields: object): StreamEvent[] {
  const kept = present(fields) as JsonObject
  return Object.keys(kept).length === 0 ? [] : [{ type: 'metadata', metadata: kept }]
}
