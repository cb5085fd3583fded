import type { Json } from '../json.ts'

/** What a tool gave, as a terminal shows it: a list of text parts is the text it holds; what is no text is shown as JSON. */
export function observationText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0) {
    const texts = value.map(partText)
    if (texts.every((text) => text !== undefined)) return texts.join('\n')
  }
  return JSON.stringify(value, null, 2)
}

function partText(part: Json): string | undefined {
  const isPart = typeof part === 'object' && part !== null && 'type' in part && part.type === 'text' && 'text' in part
  return isPart && typeof part.text === 'string' ? part.text : undefined
}
