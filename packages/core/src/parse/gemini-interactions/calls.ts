import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { keep } from '../gemini/meta.ts'
import type { Place } from '../gemini/place.ts'
import type { Delta, Step } from './raw.ts'
import type { Started } from './steps.ts'

/** `google_search_call` and `google_search_result` → `google_search`. */
function toolOf(type: string): string {
  return type.replace(/_(?:call|result)$/, '')
}

/** A call: of a function, which its caller runs, or of a tool of Google's. Its arguments come whole, as text, or both. */
export function createCall(step: Step, place: Place): Started {
  const { type } = step
  const runBy = type === 'function_call' ? 'client' : 'provider'
  let told = step
  let callId: string | undefined
  let isStreamed = false

  /** The first releases told who is called, and under which id, only with the arguments. */
  function begin(): StreamEvent[] {
    if (callId !== undefined) return []
    const { type: _type, id, name, server_name, arguments: _arguments, ...rest } = told
    callId = id ?? place.prefix
    place.unanswered.add(callId, { name: toolOf(type), isForClient: runBy === 'client', response: place.response })
    const called = { callId, messageId: place.messageId, name: name ?? toolOf(type), runBy } as const
    const kept = keep({ ...rest, type: runBy === 'client' ? undefined : type })
    return [{ type: 'tool-start', ...called, ...present({ server: server_name }), ...kept }]
  }

  function add(text: string): StreamEvent[] {
    const events = begin()
    if (text === '' || callId === undefined) return events
    isStreamed = true
    return [...events, { type: 'tool-input-delta', callId, text }]
  }

  function learn({ type: _type, arguments: more, ...delta }: Delta): void {
    const input = isJsonObject(more)
      ? { arguments: { ...(isJsonObject(told.arguments) ? told.arguments : {}), ...more } }
      : {}
    told = { ...told, ...(present(delta) as object), ...input }
  }

  return {
    events: isKnown(step) ? begin() : [],
    step: {
      delta(delta) {
        if (delta.type !== type && delta.type !== 'arguments_delta' && delta.type !== 'thought_signature')
          return undefined
        if (!saysMore(delta)) return undefined
        learn(delta)
        return typeof delta.arguments === 'string' ? add(delta.arguments) : isKnown(told) ? begin() : []
      },
      stop() {
        const events = begin()
        if (callId === undefined) return events
        const signed = told.signature === step.signature ? {} : keep({ signature: told.signature })
        const input = isStreamed ? {} : { input: told.arguments ?? {} }
        return [...events, { type: 'tool-input', callId, ...input, ...signed }]
      },
    },
  }
}

/** Whether a delta of a call says anything, and its arguments, if it has any, are text or fields. */
function saysMore({ type: _type, ...delta }: Delta): boolean {
  const given = delta.arguments
  const isReadable = given === undefined || given === null || typeof given === 'string' || isJsonObject(given)
  return isReadable && Object.keys(delta).length > 0
}

/** Whether a call says under which id it goes, and which function it means. */
function isKnown({ type, id, name }: Step): boolean {
  return typeof id === 'string' && (type !== 'function_call' || typeof name === 'string')
}

/** What is known of a result; whatever else stands there is kept. */
interface Told {
  readonly call_id?: string | null
  readonly result?: Json
  readonly is_error?: boolean | null
  readonly [other: string]: unknown
}

/** A result. It may be told with its start, or in deltas that each tell more of it. */
export function createResult(step: Step, place: Place): Started {
  const { type, call_id, name, server_name: _server, ...first } = step
  let told: Told = first
  let hasDelta = false

  return {
    events: [],
    step: {
      delta({ type: deltaType, ...delta }) {
        if (deltaType !== type && deltaType !== 'thought_signature') return undefined
        if (Object.keys(delta).length === 0) return undefined
        const result = hasDelta ? joined(told.result, delta.result) : (delta.result ?? told.result)
        hasDelta ||= delta.result !== undefined && delta.result !== null
        told = { ...told, ...present(delta), ...(result !== undefined && { result }) }
        return []
      },
      stop() {
        const wanted = call_id ?? told.call_id
        const callId = place.unanswered.take(wanted, toolOf(type)) ?? wanted ?? place.prefix
        const { result, is_error, call_id: _id, ...rest } = told
        return [outputOf(callId, result, is_error === true, rest), ...sourcesOf(result, callId)]
      },
    },
  }
}

function joined(before: Json | undefined, more: Json | undefined): Json | undefined {
  if (typeof before === 'string' && typeof more === 'string') return before + more
  if (Array.isArray(before) && Array.isArray(more)) return [...before, ...more]
  return more ?? before
}

function outputOf(callId: string, result: Json | undefined, isError: boolean, rest: object): EventOf<'tool-output'> {
  const output = result ?? ''
  const failed = isError ? { status: 'error' as const, error: wordsOf(output) } : { status: 'ok' as const }
  return { type: 'tool-output', callId, output, ...failed, ...keep({ ...rest }) }
}

function wordsOf(output: Json): string {
  if (typeof output === 'string') return output || 'The tool failed'
  const items = (Array.isArray(output) ? output : [output]) as readonly Json[]
  const words = items.flatMap((item) => (isJsonObject(item) && typeof item.text === 'string' ? [item.text] : []))
  return words.join('\n') || JSON.stringify(output)
}

/** The pages, files and places that a tool found, where they say their address or their name. */
function sourcesOf(result: Json | undefined, callId: string): StreamEvent[] {
  const items = (Array.isArray(result) ? result : []) as readonly Json[]
  const found = items.flatMap((item) => (isJsonObject(item) && Array.isArray(item.places) ? item.places : [item]))
  return found.flatMap((item: Json, index) => {
    if (!isJsonObject(item) || typeof item.url !== 'string') return []
    if (typeof item.status === 'string' && item.status !== 'success') return []
    const title = [item.title, item.name].find((words) => typeof words === 'string') as string | undefined
    const sourceId = `${callId}:source-${index + 1}`
    return [{ type: 'source', sourceId, kind: 'url', url: item.url, callId, ...present({ title }) }]
  })
}
