import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { MessageScope } from '../gemini/message-scope.ts'
import { keep } from '../gemini/meta.ts'
import type { Delta, Step } from './raw.ts'
import type { Started } from './steps.ts'

/** `google_search_call` and `google_search_result` → `google_search`. */
function toolOf(type: string): string {
  return type.replace(/_(?:call|result)$/, '')
}

/** A call of a function, which the caller runs, or of a tool of Google. Its arguments come whole, as text, or both. */
export function createCall(step: Step, scope: MessageScope): Started {
  const { type } = step
  const runBy = type === 'function_call' ? 'client' : 'provider'
  let merged = step
  let callId: string | undefined
  let isStreamed = false

  /** The id of the call, which begins here once. In the first releases its name and id come only with the arguments. */
  function begin(events: StreamEvent[]): string {
    if (callId !== undefined) return callId
    const { type: _type, id, name, server_name, arguments: _arguments, ...otherFields } = merged
    callId = id ?? scope.prefix
    scope.unanswered.add(callId, { name: toolOf(type) })
    const called = { callId, messageId: scope.messageId, name: name ?? toolOf(type), runBy } as const
    const kept = keep({ ...otherFields, type: runBy === 'client' ? undefined : type })
    events.push({ type: 'tool-start', ...called, ...present({ server: server_name }), ...kept })
    return callId
  }

  /** Begins the call if it can be named. */
  function beginIfIdentified(): StreamEvent[] {
    const events: StreamEvent[] = []
    if (isIdentified(merged)) begin(events)
    return events
  }

  function add(text: string): StreamEvent[] {
    const events: StreamEvent[] = []
    const id = begin(events)
    if (text === '') return events
    isStreamed = true
    return [...events, { type: 'tool-input-delta', callId: id, text }]
  }

  function merge({ type: _type, arguments: more, ...delta }: Delta): void {
    const input = isJsonObject(more)
      ? { arguments: { ...(isJsonObject(merged.arguments) ? merged.arguments : {}), ...more } }
      : {}
    merged = { ...merged, ...(present(delta) as object), ...input }
  }

  return {
    events: beginIfIdentified(),
    step: {
      delta(delta) {
        if (delta.type !== type && delta.type !== 'arguments_delta' && delta.type !== 'thought_signature')
          return undefined
        if (!hasFields(delta)) return undefined
        merge(delta)
        return typeof delta.arguments === 'string' ? add(delta.arguments) : beginIfIdentified()
      },
      stop() {
        const events: StreamEvent[] = []
        const id = begin(events)
        const signed = merged.signature === step.signature ? {} : keep({ signature: merged.signature })
        const input = isStreamed ? {} : { input: merged.arguments ?? {} }
        return [...events, { type: 'tool-input', callId: id, ...input, ...signed }]
      },
    },
  }
}

/** Whether a delta of a call has a field, and its arguments, if it has any, are text or an object. */
function hasFields({ type: _type, ...delta }: Delta): boolean {
  const args = delta.arguments
  const isReadable = args === undefined || args === null || typeof args === 'string' || isJsonObject(args)
  return isReadable && Object.keys(delta).length > 0
}

/** Whether a call has its id and, for a function, its name. */
function isIdentified({ type, id, name }: Step): boolean {
  return typeof id === 'string' && (type !== 'function_call' || typeof name === 'string')
}

/** The fields of a result. Any others are kept as meta. */
interface ResultFields {
  readonly call_id?: string | null
  readonly result?: Json
  readonly is_error?: boolean | null
  readonly [other: string]: unknown
}

/** A result, which comes with its start or in deltas. */
export function createResult(step: Step, scope: MessageScope): Started {
  const { type, call_id, name, server_name: _server, ...first } = step
  let merged: ResultFields = first
  let pieces: Json | undefined

  return {
    events: [],
    step: {
      delta({ type: deltaType, ...delta }) {
        if (deltaType !== type && deltaType !== 'thought_signature') return undefined
        if (Object.keys(delta).length === 0) return undefined
        const { result: piece } = delta
        merged = { ...merged, ...present(delta) }
        if (piece === undefined || piece === null) return []
        // The first piece takes the place of the result that the start had.
        pieces = pieces === undefined ? piece : joinedResult(pieces, piece)
        merged = { ...merged, result: pieces }
        return []
      },
      stop() {
        const namedCallId = call_id ?? merged.call_id
        const openCallId = scope.unanswered.take(namedCallId, toolOf(type))
        const callId = openCallId ?? namedCallId ?? scope.prefix
        const { result, is_error, call_id: _id, ...otherFields } = merged
        return [
          ...(openCallId === undefined ? orphanCall(callId, step, scope) : []),
          outputOf(callId, result, is_error === true, otherFields),
          ...sourcesOf(result, callId),
        ]
      },
    },
  }
}

/** The call of a result whose call is not in the stream, if the result names the tool. */
function orphanCall(callId: string, { type, name }: Step, { messageId }: MessageScope): StreamEvent[] {
  const isFunction = type === 'function_result'
  const toolName = name ?? (isFunction ? undefined : toolOf(type))
  if (toolName === undefined) return []
  const runBy = isFunction ? 'client' : 'provider'
  return [{ type: 'tool-start', callId, messageId, name: toolName, runBy, meta: { millrace: { orphan: true } } }]
}

/** The pieces of a result: of texts one text, of anything else a list. */
function joinedResult(before: Json, more: Json): Json {
  return typeof before === 'string' && typeof more === 'string' ? before + more : [before, more].flat()
}

function outputOf(
  callId: string,
  result: Json | undefined,
  isError: boolean,
  otherFields: object,
): EventOf<'tool-output'> {
  const output = result ?? ''
  const failed = isError ? { status: 'error' as const, error: errorTextOf(output) } : { status: 'ok' as const }
  return { type: 'tool-output', callId, output, ...failed, ...keep({ ...otherFields }) }
}

function errorTextOf(output: Json): string {
  if (typeof output === 'string') return output || 'The tool failed'
  const items = [output].flat() as readonly Json[]
  const texts = items.map((item) => (isJsonObject(item) ? item.text : item)).filter((text) => typeof text === 'string')
  return texts.join('\n') || JSON.stringify(output)
}

/** The pages, files and places that a tool found, if they have an address. */
function sourcesOf(result: Json | undefined, callId: string): StreamEvent[] {
  const items = (Array.isArray(result) ? result : []) as readonly Json[]
  const found = items.flatMap((item) => (isJsonObject(item) && Array.isArray(item.places) ? item.places : [item]))
  return found.flatMap((item: Json, index) => {
    if (!isJsonObject(item) || typeof item.url !== 'string') return []
    if (typeof item.status === 'string' && item.status !== 'success') return []
    const title = [item.title, item.name].find((text) => typeof text === 'string') as string | undefined
    const sourceId = `${callId}:source-${index + 1}`
    return [{ type: 'source', sourceId, kind: 'url', url: item.url, callId, ...present({ title }) }]
  })
}
