import type { EventOf, StreamEvent } from '../src/events.ts'
import { thinkTags } from '../src/normalize/think-tags.ts'
import { runPass } from './normalize.ts'

/** One text block in these chunks. */
export function block(chunks: readonly string[]): StreamEvent[] {
  return [
    { type: 'block-start', blockId: 'b', kind: 'text' },
    ...chunks.map((text): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })),
    { type: 'block-end', blockId: 'b' },
  ]
}

/** One line per part, as it is shown. */
export function linesOf(events: readonly StreamEvent[]): string[] {
  return partsOf(events).map(({ start, text, end }) => {
    const kind = start?.kind === 'reasoning' ? 'think' : 'text'
    return `${kind}: ${text}${end?.interrupted ? ' (interrupted)' : ''}`
  })
}

export function cutText(chunks: readonly string[]): string[] {
  return linesOf(runPass(thinkTags, block(chunks)))
}

/** The original input, from the parts and their `meta.millrace`. */
export function inputOf(events: readonly StreamEvent[]): string {
  const pieces = partsOf(events).map(({ text, meta }) => {
    const { before = '', open = '', close = '', after = '' } = meta as { [name: string]: string }
    return before + open + text + close + after
  })
  return pieces.join('')
}

/** The events with adjacent deltas of one block joined. */
export function joined(events: readonly StreamEvent[]): StreamEvent[] {
  const out: StreamEvent[] = []
  for (const event of events) {
    const last = out.at(-1)
    if (event.type === 'block-delta' && last?.type === 'block-delta' && last.blockId === event.blockId) {
      out[out.length - 1] = { ...last, text: last.text + event.text }
    } else out.push(event)
  }
  return out
}

interface SeenPart {
  start: EventOf<'block-start'> | undefined
  end: EventOf<'block-end'> | undefined
  text: string
  meta: object
}

function partsOf(events: readonly StreamEvent[]): SeenPart[] {
  const parts = new Map<string, SeenPart>()
  for (const event of events) {
    if (!('blockId' in event) || event.blockId === undefined) continue
    const part = parts.get(event.blockId) ?? { start: undefined, end: undefined, text: '', meta: {} }
    parts.set(event.blockId, part)
    part.meta = { ...part.meta, ...event.meta?.millrace }
    if (event.type === 'block-start') part.start = event
    if (event.type === 'block-delta') part.text += event.text
    if (event.type === 'block-patch') part.text = event.text ?? part.text
    if (event.type === 'block-end') part.end = event
  }
  return [...parts.values()]
}
