import type { EventOf } from '../events.ts'
import { type Json, parseJson } from '../json.ts'

/** The largest tool input that is parsed from its text, in UTF-16 units. */
export const MAX_INPUT = 8 * 1024 * 1024

/** An input from its text: an empty text is the empty object, as providers mean it. */
export function inputOf(text: string): Pick<EventOf<'tool-input'>, 'input' | 'text' | 'error'> {
  if (text.trim() === '') return { input: {} }
  if (text.length > MAX_INPUT) return { text: text.slice(0, 1024), error: 'The input is too large.' }
  try {
    return { input: parseJson(text) as Json }
  } catch {
    return { text, error: 'The input is not JSON.' }
  }
}
