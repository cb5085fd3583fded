import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'

/** An input as the text that the protocol wants it in. */
export function inputText({ input, text }: EventOf<'tool-input'>): string {
  return text ?? (input === undefined ? '' : JSON.stringify(input))
}

/**
 * Whether the text that was streamed says the input. A text of the very length that the input has is taken for it, so
 * that almost no input is written or read once more.
 */
export function isSaid(streamed: string, input: Json | undefined): boolean {
  if (input === undefined || streamed.length === plainLength(input)) return true
  try {
    return JSON.stringify(JSON.parse(streamed)) === JSON.stringify(input)
  } catch {
    return false
  }
}

/** The length of a value as JSON without spaces, where nothing in it needs a backslash. */
function plainLength(value: Json): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  // Brackets, and a comma between each two.
  const isList = Array.isArray(value)
  let length = 1
  for (const key in value) {
    const child = (value as { readonly [key: string]: Json })[key] ?? null
    length += plainLength(child) + 1 + (isList ? 0 : key.length + 3)
  }
  return Math.max(length, 2)
}
