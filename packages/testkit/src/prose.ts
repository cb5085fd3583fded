import type { StreamEvent } from '@millrace/core/events'
import type { RawRecord } from '@millrace/core/source'

/** Three words or more: text that a person would miss, unlike ids, names and numbers. */
const SENTENCE = /\S\s+\S+\s+\S/

/** Sentences of the records that no event contains. */
export function lostProse(records: readonly RawRecord[], events: readonly StreamEvent[]): readonly string[] {
  const eventText = [...new Set([...stringsOf(events), ...streamedBy(events)])].join('\n\n')
  const readable = records.filter(({ problem }) => problem === undefined)
  const sentences = new Set(stringsOf(readable.map(({ value }) => value)).filter((text) => SENTENCE.test(text)))
  return [...sentences].filter((sentence) => !isContained(sentence, eventText) && !isDivided(sentence, eventText))
}

/** Whether the lines of a text are in the events, which a parser may divide: into what is said and the code of a call. */
function isDivided(text: string, eventText: string): boolean {
  const lines = text.split('\n').filter((line) => SENTENCE.test(line))
  return text.includes('\n') && lines.every((line) => isContained(line, eventText))
}

/** Whether a sentence is in the events as it is, escaped inside JSON text, or as the strings of its own JSON. */
function isContained(sentence: string, eventText: string): boolean {
  if (eventText.includes(sentence) || eventText.includes(JSON.stringify(sentence).slice(1, -1))) return true
  try {
    const parts = stringsOf(JSON.parse(sentence)).filter((part) => SENTENCE.test(part))
    return parts.every((part) => eventText.includes(part))
  } catch {
    return false
  }
}

/** Texts and inputs that were streamed as deltas, joined. */
function streamedBy(events: readonly StreamEvent[]): readonly string[] {
  const whole = new Map<string, string>()
  for (const event of events) {
    const key = event.type === 'block-delta' ? event.blockId : event.type === 'tool-input-delta' ? event.callId : ''
    if ('text' in event && key !== '') whole.set(key, `${whole.get(key) ?? ''}${event.text}`)
  }
  return [...whole.values()]
}

/** All strings in a value, at any depth. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}
