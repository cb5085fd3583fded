import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { RunError, UsageCounts } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { sum } from '../kit/counts.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { type FileContent, fileContent } from '../kit/file.ts'
import { namesIn } from '../kit/rows.ts'

/** How many fields are remembered, because a stream may have endlessly many. */
const MAX_FIELDS = 256

/** Returns the fields, except the ignored ones, that are new or have another value than before. */
export function createChangedFields(ignored: readonly string[]): (fields: object) => JsonObject {
  const lastValues = new Map<string, unknown>()
  const skipped = new Set(ignored)
  return (fields) => {
    const changed: Record<string, Json> = {}
    for (const field in fields) {
      const value = skipped.has(field) ? undefined : (fields as JsonObject)[field]
      if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue
      const comparable = typeof value === 'object' ? JSON.stringify(value) : value
      if (lastValues.get(field) === comparable) continue
      remember(lastValues, field, comparable, MAX_FIELDS)
      changed[field] = value
    }
    return changed
  }
}

interface UnansweredCall {
  readonly name: string
  /** The number of the response whose caller must run it. */
  readonly awaitedBy?: number | undefined
}

export type Unanswered = ReturnType<typeof createUnanswered>

/** The calls without a result. A result names its call by id, or only by the name of the tool, in order. */
export function createUnanswered() {
  const calls = new Map<string, UnansweredCall>()

  function find(id: string | null | undefined, name: string): string | undefined {
    if (id !== null && id !== undefined) return calls.has(id) ? id : undefined
    for (const [callId, call] of calls) if (call.name === name) return callId
    return undefined
  }

  return {
    add: (callId: string, call: UnansweredCall) => remember(calls, callId, call),
    /** Returns the id of the call that a result belongs to, and removes the call. */
    take(id: string | null | undefined, name: string): string | undefined {
      const callId = find(id, name)
      if (callId !== undefined) calls.delete(callId)
      return callId
    },
    /** Whether a response has a call that its caller must run. */
    awaitsClient(response: number): boolean {
      for (const { awaitedBy } of calls.values()) if (awaitedBy === response) return true
      return false
    },
    /** The calls that the caller of any response must run. */
    ofClient: () => [...calls].flatMap(([callId, { awaitedBy }]) => (awaitedBy === undefined ? [] : [callId])),
  }
}

/** The content of a file. Data that is not a link may be empty. */
export function fileOf(base64: Text, url: Text, mediaType: Text, defaultType: string): FileContent {
  const content = fileContent({ base64, url, mediaType }, defaultType)
  return content.url === undefined ? { bytes: '', ...content } : content
}

type Text = string | null | undefined
type Count = number | null | undefined

/** Thoughts are output, and tokens that tools added to the prompt are input. The sum is Google's total. */
export function countsIn(prompt: Count, tools: Count, answer: Count, thoughts: Count, cached: Count): UsageCounts {
  return present({
    inputTokens: sum(prompt, tools),
    outputTokens: sum(answer, thoughts),
    reasoningTokens: thoughts,
    cacheReadTokens: cached,
  })
}

/**
 * Maps byte offsets in the UTF-8 of a text to offsets in its UTF-16. One pass for all of them, because a long text may
 * have a thousand citations. An offset beyond the end or inside a character has no entry.
 */
export function utf16Offsets(text: string, byteOffsets: readonly number[]): ReadonlyMap<number, number> {
  const wanted = [...new Set(byteOffsets)].sort((a, b) => a - b)
  const found = new Map<number, number>()
  let next = 0
  let bytes = 0
  for (let at = 0; at <= text.length && next < wanted.length; at++) {
    while ((wanted[next] ?? bytes) < bytes) next++
    if (wanted[next] === bytes) found.set(bytes, at)
    const code = text.codePointAt(at) ?? 0
    bytes += sizeOf(code)
    if (code > 0xffff) at++
  }
  return found
}

function sizeOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code > 0xffff ? 4 : 3
}

/** Finish reasons of an unusable answer. `finishMessage` has the details. */
const FAILURES = namesIn(
  'MALFORMED_FUNCTION_CALL MALFORMED_RESPONSE MISSING_THOUGHT_SIGNATURE TOO_MANY_TOOL_CALLS UNEXPECTED_TOOL_CALL',
)

/** Finish reasons of an answer that a content rule cut short. */
const FILTERED =
  /^(?:SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|IMAGE_(?:SAFETY|PROHIBITED_CONTENT|RECITATION))$/

/** The error of an answer, if its reason to stop is a failure. */
export function failureOf(reason: string, message: string | null | undefined): RunError | undefined {
  return FAILURES.has(reason) ? { message: message || `The model stopped: ${reason}`, code: reason } : undefined
}

export const isFiltered = (reason: string) => FILTERED.test(reason)

/** The name of a provider's tool. */
export const nameOf = (toolType: unknown) => textIn(toolType)?.toLowerCase() ?? 'tool'

export type Result = Pick<EventOf<'tool-output'>, 'status' | 'output' | 'error'>

/** Google wraps the result of a function in `output` or `error`. Any other value is the output itself. */
export function resultOf(response: Json | undefined): Result {
  if (!isJsonObject(response)) return { status: 'ok', output: response ?? '' }
  const { error } = response
  if (error !== undefined && error !== null && error !== false) {
    const message = typeof error === 'string' ? error : objectIn(error).message
    return { status: 'error', output: error, error: typeof message === 'string' ? message : JSON.stringify(error) }
  }
  const [only, ...more] = Object.keys(response)
  const isWrapped = more.length === 0 && (only === 'output' || only === 'result')
  return { status: 'ok', output: (isWrapped ? response[only] : response) as Json }
}

export function codeResultOf(outcome: string | null | undefined, output: string): Result {
  const isFine = outcome === null || outcome === undefined || outcome === 'OUTCOME_OK'
  return isFine ? { status: 'ok', output } : { status: 'error', output, error: output === '' ? outcome : output }
}
