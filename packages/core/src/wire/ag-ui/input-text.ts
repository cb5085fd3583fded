import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'

/** An input as text, as the protocol requires. */
export function inputText({ input, text }: EventOf<'tool-input'>): string {
  return text ?? (input === undefined ? '' : JSON.stringify(input))
}

/** Whether the streamed text is the input as JSON, however it is spaced. Most text is spaced as `JSON.stringify` does. */
export function matchesInput(streamed: string, input: Json | undefined): boolean {
  if (input === undefined) return true
  const text = JSON.stringify(input)
  if (streamed === text) return true
  try {
    return JSON.stringify(JSON.parse(streamed)) === text
  } catch {
    return false
  }
}
