import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'

/** An input as text, as the protocol requires. */
export function inputText({ input, text }: EventOf<'tool-input'>): string {
  return text ?? (input === undefined ? '' : JSON.stringify(input))
}

/**
 * Whether the streamed text is the input as JSON. A text of exactly the input's length is assumed to be equal, so that
 * almost no input is serialised or parsed again.
 */
export function matchesInput(streamed: string, input: Json | undefined): boolean {
  if (input === undefined || streamed.length === plainLength(input)) return true
  try {
    return JSON.stringify(JSON.parse(streamed)) === JSON.stringify(input)
  } catch {
    return false
  }
}

/** The length of a value as JSON without spaces, if no character in it needs a backslash. */
function plainLength(value: Json): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  // The brackets, and a comma between every two items.
  const isList = Array.isArray(value)
  let length = 1
  for (const key in value) {
    const child = (value as { readonly [key: string]: Json })[key] ?? null
    length += plainLength(child) + 1 + (isList ? 0 : key.length + 3)
  }
  return Math.max(length, 2)
}
