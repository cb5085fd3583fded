/** Any value that JSON can represent. Events, segments and chunks consist of such values. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export type JsonObject = { readonly [key: string]: Json }

/** Whether a value that was read from JSON is an object; an array is not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** How deep JSON from outside may be nested: code that walks a value recursively has a limited stack. */
export const MOST_LEVELS = 500

/** The value of a JSON text. Throws if the text is not JSON, or is nested more than `MOST_LEVELS` deep. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`JSON of more than ${MOST_LEVELS} levels`)
  return JSON.parse(text)
}

const JSON_CLOSERS: { readonly [opener: string]: string } = { '{': '}', '[': ']', '"': '"' }
const JSON_LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/**
 * Whether a text may be JSON, by its first and last characters alone. Most noise fails here, which costs far less than
 * the error object of a failing parser.
 */
export function mayBeJson(text: string): boolean {
  const trimmed = text.trim()
  const first = trimmed.charAt(0)
  const closer = JSON_CLOSERS[first]
  if (closer !== undefined) return trimmed.length > 1 && trimmed.endsWith(closer)
  return isDigit(trimmed.charCodeAt(trimmed.length - 1)) || JSON_LITERALS.has(trimmed)
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** Whether a JSON text is nested more than `MOST_LEVELS` deep. */
export function isTooDeep(text: string): boolean {
  // Each level takes two characters: almost every record is too short to be deep.
  if (text.length <= 2 * MOST_LEVELS) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > MOST_LEVELS) return true
  }
  return false
}

/** The position at which the string that begins at `start` ends; the end of the text if it does not end. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
