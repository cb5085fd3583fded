import type { Json } from '@millrace/core/json'

/** One printed line and how long the agent takes for it, in ms. */
export interface ScriptLine {
  readonly pause: number
  readonly text: string
}

export function line(pause: number, type: string, data: { readonly [field: string]: Json }): ScriptLine {
  return { pause, text: JSON.stringify({ type, data }) }
}

/** Text as a model streams it: a word at a time, with a longer breath after a line. */
export function spoken(text: string): readonly ScriptLine[] {
  const pieces = text.match(/\S+\s*/g) ?? []
  return pieces.map((content, index) => {
    const breath = content.includes('\n') ? 110 : 0
    return line(55 + ((index * 37) % 60) + breath, 'text', { content })
  })
}

/** A thought per line, as fast as it is read. */
export function thought(...thoughts: readonly string[]): readonly ScriptLine[] {
  return thoughts.map((content) => line(500 + content.length * 14, 'thinking', { content }))
}
