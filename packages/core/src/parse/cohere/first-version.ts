import type { Json } from '../../json.ts'
import { metadata } from '../kit/keep.ts'
import type { Rows } from '../kit/rows.ts'
import type { Manner, Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import { addInput, type Message } from './message.ts'
import type { Debug, Ending, OldCall, OldEnd, OldEvent, OldResponse } from './raw.ts'

/** What the rows of the first version need from the parser. */
export interface Host {
  /** Begins a message. */
  begin(out: Out, id: string): Message
  /** The open message, begun if there is none. */
  ensure(out: Out): Message
  finish(out: Out, end: Ending): void
}

const TEXT = 'text'
const MANNER: Manner = { kind: 'text' }
/** A part of a call has at least one of these. */
const CALL_FIELDS = ['index', 'text', 'name', 'parameters'] as const
const BEDROCK = 'amazon-bedrock-invocationMetrics'

/** The first version: one text without a start or an end, calls without ids, and the whole response at the end. */
export const firstVersion = ({ begin, ensure, finish }: Host): Rows<OldEvent> => ({
  'stream-start': (out, { generation_id }) => void begin(out, generation_id ?? ''),
  'text-generation': (out, { text }) => ensure(out).addText(out, TEXT, MANNER, text),
  'citation-generation'(out, raw) {
    const message = ensure(out)
    if (message.lastText === undefined) out.push(...unmapped(raw))
    else message.cite(out, message.lastText, raw.citations)
  },
  'search-queries-generation': (out, { search_queries }) => void startSearch(out, ensure(out), search_queries),
  'search-results'(out, { search_results, documents }) {
    const message = ensure(out)
    const callId = startSearch(out, message, [])
    out.push({ type: 'tool-output', callId, status: 'ok', output: search_results ?? [] })
    for (const document of documents ?? []) message.addSource(out, document, { callId })
  },
  'tool-calls-chunk'(out, raw) {
    const { text, tool_call_delta: call } = raw
    const isReadable = call ? CALL_FIELDS.some((field) => field in call) : typeof text === 'string'
    if (!isReadable) return void out.push(...unmapped(raw))
    const message = ensure(out)
    message.addPlan(out, text ?? call?.text ?? '')
    if (!call) return
    const index = call.index ?? 0
    const callId = callIdOf(message, index)
    if (call.name && !message.calls.has(index)) message.startCall(out, index, callId, call.name)
    addInput(out, callId, call.parameters)
  },
  'tool-calls-generation': (out, { text, tool_calls }) => addCalls(out, ensure(out), tool_calls, text ?? ''),
  'stream-end'(out, end) {
    readAgain(out, ensure(out), end.response ?? {})
    out.push(...metadata({ [BEDROCK]: end[BEDROCK] }))
    finish(out, endingOf(end))
  },
  debug: readDebug,
})

export function readDebug(out: Out, raw: Debug): void {
  out.push(...(raw.prompt ? metadata({ prompt: raw.prompt }) : unmapped(raw)))
}

function callIdOf({ messageId }: Message, index: number): string {
  return `${messageId}:call-${index}`
}

/** The whole calls, whether or not they were streamed. */
function addCalls(out: Out, message: Message, calls: readonly OldCall[], plan: string): void {
  if (!message.hasPlan()) message.addPlan(out, plan)
  for (const [index, { name, parameters }] of calls.entries()) {
    const callId = callIdOf(message, index)
    if (!message.calls.has(index)) message.startCall(out, index, callId, name)
    out.push({ type: 'tool-input', callId, input: parameters ?? {} })
  }
  message.calls.clear()
}

/** The search of a message, which it has once. */
function startSearch(out: Out, { messageId, emittedIds }: Message, queries: readonly Json[]): string {
  const callId = `${messageId}:search`
  if (emittedIds.has(callId)) return callId
  emittedIds.add(callId)
  out.push({ type: 'tool-start', callId, name: 'search', runBy: 'provider' })
  out.push({ type: 'tool-input', callId, input: queries.length === 0 ? {} : { search_queries: queries } })
  return callId
}

/** The end repeats the whole response. What was not streamed is read, other fields become metadata. */
function readAgain(out: Out, message: Message, response: OldResponse): void {
  const { text, tool_calls, citations, documents, search_queries, search_results, meta, generations, ...otherFields } =
    response
  const wholeText = text ?? generations?.[0]?.text ?? ''
  if (message.callCount === 0 && tool_calls) addCalls(out, message, tool_calls, wholeText)
  // The whole text corrects the streamed one.
  if (message.lastText !== undefined && wholeText !== '')
    out.push({ type: 'block-patch', blockId: message.lastText, text: wholeText })
  else if (message.callCount === 0) message.addText(out, TEXT, MANNER, wholeText)
  const { lastText: blockId } = message
  if (blockId !== undefined && !message.isCited(blockId)) message.cite(out, blockId, citations ?? [])
  for (const document of documents ?? []) message.addSource(out, document, {})
  message.endBlock(out, TEXT)
  out.push(...metadata(otherFields))
}

function endingOf({ finish_reason, error, response, [BEDROCK]: metrics }: OldEnd): Ending {
  const { inputTokenCount: input_tokens, outputTokenCount: output_tokens } = metrics ?? {}
  const isCounted = typeof input_tokens === 'number' && typeof output_tokens === 'number'
  return {
    finish_reason: finish_reason ?? response?.finish_reason ?? null,
    error: error ?? null,
    usage: response?.meta ?? (isCounted ? { tokens: { input_tokens, output_tokens } } : null),
  }
}
