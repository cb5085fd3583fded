import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { isEmpty, keep } from '../kit/keep.ts'
import { resultFiles } from '../kit/result-files.ts'
import type { Out } from '../kit/voice.ts'
import type { Step, StepFields } from './raw.ts'
import type { OpenStep, StepScope } from './steps.ts'

/** `google_search_call` and `google_search_result` → `google_search`. */
function toolOf(type: string): string {
  return type.replace(/_(?:call|result)$/, '')
}

/** A call of a function, which the caller runs, or of a tool of Google. Its arguments come whole, as text, or both. */
export function startCall(started: Out, step: Step, { messageId, prefix, unanswered }: StepScope): OpenStep {
  const { type } = step
  const isFunction = type === 'function_call'
  let merged: StepFields = step
  let callId: string | undefined
  let isStreamed = false

  /** The id of the call, which begins here once. In the first releases its name and id come only with the arguments. */
  function begin(out: Out): string {
    if (callId !== undefined) return callId
    const { type: _type, id, name: ownName, server_name: server, arguments: _arguments, ...otherFields } = merged
    callId = id ?? prefix
    const name = ownName ?? toolOf(type)
    unanswered.add(callId, { name: toolOf(type) })
    const runBy = isFunction ? 'client' : 'provider'
    const kept = keep('google', { ...otherFields, type: isFunction ? undefined : type })
    out.push({ type: 'tool-start', callId, messageId, name, runBy, ...present({ server }), ...kept })
    return callId
  }

  /** Begins the call once it has its id and, for a function, its name. */
  function beginIfIdentified(out: Out): void {
    if (typeof merged.id === 'string' && (!isFunction || typeof merged.name === 'string')) begin(out)
  }

  beginIfIdentified(started)
  return {
    delta(out, { type: deltaType, ...delta }) {
      const { arguments: args, ...otherFields } = delta
      const fits = deltaType === type || deltaType === 'arguments_delta' || deltaType === 'thought_signature'
      const isReadable = args === undefined || args === null || typeof args === 'string' || isJsonObject(args)
      if (!fits || !isReadable || isEmpty(delta)) return false
      const input = isJsonObject(args) ? { arguments: { ...objectIn(merged.arguments), ...args } } : {}
      merged = { ...merged, ...present(otherFields), ...input }
      if (typeof args !== 'string') beginIfIdentified(out)
      else {
        isStreamed ||= args !== ''
        out.push({ type: 'tool-input-delta', callId: begin(out), text: args })
      }
      return true
    },
    stop(out) {
      const input = isStreamed ? {} : { input: merged.arguments ?? {} }
      const signed = merged.signature === step.signature ? {} : keep('google', { signature: merged.signature })
      out.push({ type: 'tool-input', callId: begin(out), ...input, ...signed })
    },
  }
}

const OK = { status: 'ok' } as const

/** A result, which comes with its start or in deltas. */
export function startResult(step: Step, { messageId, prefix, unanswered }: StepScope): OpenStep {
  const { type, call_id, name, server_name: _server, ...first } = step
  let merged: Partial<StepFields> = first
  let pieces: Json | undefined

  return {
    delta(_out, { type: deltaType, ...delta }) {
      if ((deltaType !== type && deltaType !== 'thought_signature') || isEmpty(delta)) return false
      const { result: piece } = delta
      merged = { ...merged, ...present(delta) }
      if (piece === undefined || piece === null) return true
      // The first piece takes the place of the result that the start had.
      pieces = pieces === undefined ? piece : joinedResult(pieces, piece)
      merged = { ...merged, result: pieces }
      return true
    },
    stop(out) {
      const { result, is_error, call_id: laterId, signature: responseSignature, ...otherFields } = merged
      const namedId = call_id ?? laterId
      const openId = unanswered.take(namedId, toolOf(type))
      const callId = openId ?? namedId ?? prefix
      const isFunction = type === 'function_result'
      const toolName = name ?? (isFunction ? undefined : toolOf(type))
      const output = result ?? ''
      const outcome = is_error === true ? { status: 'error' as const, error: errorTextOf(output) } : OK
      // The call is not in the stream, but its result names the tool.
      if (openId === undefined && toolName !== undefined) {
        const runBy = isFunction ? 'client' : 'provider'
        out.push({ type: 'tool-start', callId, messageId, name: toolName, runBy, meta: { millrace: { orphan: true } } })
      }
      out.push({
        type: 'tool-output',
        callId,
        output,
        ...outcome,
        ...keep('google', { ...otherFields, responseSignature }),
      })
      out.push(...resultFiles(result, callId), ...sourcesOf(result, callId))
    },
  }
}

/** The pieces of a result: of texts one text, of anything else a list. */
function joinedResult(before: Json, more: Json): Json {
  return typeof before === 'string' && typeof more === 'string' ? before + more : [before, more].flat()
}

function errorTextOf(output: Json): string {
  const items = [output].flat() as readonly Json[]
  const texts = items.map((item) => (isJsonObject(item) ? item.text : item)).filter((text) => typeof text === 'string')
  return texts.join('\n') || (output === '' ? 'The tool failed' : JSON.stringify(output))
}

/** The pages, files and places that a tool found, if they have an address. */
function sourcesOf(result: Json | undefined, callId: string): StreamEvent[] {
  const found = objectsIn(result).flatMap((item) => (Array.isArray(item.places) ? objectsIn(item.places) : [item]))
  return found.flatMap(({ url, status, title, name }, index): StreamEvent[] => {
    if (typeof url !== 'string' || (typeof status === 'string' && status !== 'success')) return []
    const fields = present({ title: textIn(title) ?? textIn(name) })
    return [{ type: 'source', sourceId: `${callId}:source-${index + 1}`, kind: 'url', url, callId, ...fields }]
  })
}
