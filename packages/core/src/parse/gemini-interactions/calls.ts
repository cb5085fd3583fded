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

  /** Begins the call once. In the first releases its name and id come only with the arguments. */
  function begin(): StreamEvent[] {
    if (callId !== undefined) return []
    const { type: _type, id, name, server_name, arguments: _arguments, ...otherFields } = merged
    callId = id ?? scope.prefix
    scope.unanswered.add(callId, { name: toolOf(type), isForClient: runBy === 'client', response: scope.response })
    const called = { callId, messageId: scope.messageId, name: name ?? toolOf(type), runBy } as const
    const kept = keep({ ...otherFields, type: runBy === 'client' ? undefined : type })
    return [{ type: 'tool-start', ...called, ...present({ server: server_name }), ...kept }]
  }

  function add(text: string): StreamEvent[] {
    const events = begin()
    if (text === '' || callId === undefined) return events
    isStreamed = true
    return [...events, { type: 'tool-input-delta', callId, text }]
  }

  function merge({ type: _type, arguments: more, ...delta }: Delta): void {
    const input = isJsonObject(more)
      ? { arguments: { ...(isJsonObject(merged.arguments) ? merged.arguments : {}), ...more } }
      : {}
    merged = { ...merged, ...(present(delta) as object), ...input }
  }

  return {
    events: isIdentified(step) ? begin() : [],
    step: {
      delta(delta) {
        if (delta.type !== type && delta.type !== 'arguments_delta' && delta.type !== 'thought_signature')
          return undefined
        if (!hasFields(delta)) return undefined
        merge(delta)
        return typeof delta.arguments === 'string' ? add(delta.arguments) : isIdentified(merged) ? begin() : []
      },
      stop() {
        const events = begin()
        if (callId === undefined) return events
        const signed = merged.signature === step.signature ? {} : keep({ signature: merged.signature })
        const input = isStreamed ? {} : { input: merged.arguments ?? {} }
        return [...events, { type: 'tool-input', callId, ...input, ...signed }]
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
  let hasDelta = false

  return {
    events: [],
    step: {
      delta({ type: deltaType, ...delta }) {
        if (deltaType !== type && deltaType !== 'thought_signature') return undefined
        if (Object.keys(delta).length === 0) return undefined
        const result = hasDelta ? joinedResult(merged.result, delta.result) : (delta.result ?? merged.result)
        hasDelta ||= delta.result !== undefined && delta.result !== null
        merged = { ...merged, ...present(delta), ...(result !== undefined && { result }) }
        return []
      },
      stop() {
        const namedCallId = call_id ?? merged.call_id
        const callId = scope.unanswered.take(namedCallId, toolOf(type)) ?? namedCallId ?? scope.prefix
        const { result, is_error, call_id: _id, ...otherFields } = merged
        return [outputOf(callId, result, is_error === true, otherFields), ...sourcesOf(result, callId)]
      },
    },
  }
}

function joinedResult(before: Json | undefined, more: Json | undefined): Json | undefined {
  if (typeof before === 'string' && typeof more === 'string') return before + more
  if (Array.isArray(before) && Array.isArray(more)) return [...before, ...more]
  return more ?? before
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
  const items = (Array.isArray(output) ? output : [output]) as readonly Json[]
  const texts = items.flatMap((item) => (isJsonObject(item) && typeof item.text === 'string' ? [item.text] : []))
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
