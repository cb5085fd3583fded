import type { RunError } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'

/** Finish reasons of an unusable answer. `finishMessage` has the details. */
const FAILURES: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
])

/** Finish reasons of an answer that a content rule cut short. */
const FILTERED =
  /^(?:SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|IMAGE_(?:SAFETY|PROHIBITED_CONTENT|RECITATION))$/

/** The error of an answer, if its reason to stop is a failure. */
export function failureOf(reason: string, message: string | null | undefined): RunError | undefined {
  return FAILURES.has(reason) ? { message: message || `The model stopped: ${reason}`, code: reason } : undefined
}

export function isFiltered(reason: string): boolean {
  return FILTERED.test(reason)
}

/** The name of a provider's tool. */
export function nameOf(toolType: unknown): string {
  return typeof toolType === 'string' ? toolType.toLowerCase() : 'tool'
}

export type Result = Pick<EventOf<'tool-output'>, 'status' | 'output' | 'error'>

/** Google wraps the result of a function in `output` or `error`. Any other value is the output itself. */
export function resultOf(response: Json | undefined): Result {
  if (!isJsonObject(response)) return { status: 'ok', output: response ?? '' }
  const { error } = response
  if (error !== undefined && error !== null && error !== false)
    return { status: 'error', output: error, error: errorTextOf(error) }
  const [only, ...more] = Object.keys(response)
  const isWrapped = more.length === 0 && (only === 'output' || only === 'result')
  return { status: 'ok', output: (isWrapped ? response[only] : response) as Json }
}

function errorTextOf(error: Json): string {
  if (typeof error === 'string') return error
  return isJsonObject(error) && typeof error.message === 'string' ? error.message : JSON.stringify(error)
}

export function codeResultOf(outcome: string | null | undefined, output: string): Result {
  const isFine = outcome === null || outcome === undefined || outcome === 'OUTCOME_OK'
  return isFine ? { status: 'ok', output } : { status: 'error', output, error: output === '' ? outcome : output }
}
