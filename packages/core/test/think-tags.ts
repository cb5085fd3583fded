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
  const inputs = partsOf(events).map(({ input, meta }) => {
    const { before = '', open = '', close = '', after = '' } = meta as { [name: string]: string }
    return before + open + input + close + after
  })
  return inputs.join('')
}

/** The events with adjacent deltas of one block joined. A delta behind a seam stays as it is. */
export function joined(events: readonly StreamEvent[]): StreamEvent[] {
  const out: StreamEvent[] = []
  for (const event of events) {
    const last = out.at(-1)
    const isJoined = event.type === 'block-delta' && event.meta === undefined
    if (isJoined && last?.type === 'block-delta' && last.blockId === event.blockId) {
      out[out.length - 1] = { ...last, text: last.text + event.text }
    } else out.push(event)
  }
  return out
}

interface SeenPart {
  start: EventOf<'block-start'> | undefined
  end: EventOf<'block-end'> | undefined
  text: string
  /** The text with the tags of its seams. */
  input: string
  meta: object
}

type Seams = readonly (readonly [at: number, tags: string])[]

function withSeams(text: string, seams: Seams): string {
  return seams.toReversed().reduce((whole, [at, tags]) => whole.slice(0, at) + tags + whole.slice(at), text)
}

function partsOf(events: readonly StreamEvent[]): SeenPart[] {
  const parts = new Map<string, SeenPart>()
  for (const event of events) {
    if (!('blockId' in event) || event.blockId === undefined) continue
    const part = parts.get(event.blockId) ?? { start: undefined, end: undefined, text: '', input: '', meta: {} }
    parts.set(event.blockId, part)
    part.meta = { ...part.meta, ...event.meta?.millrace }
    if (event.type === 'block-start') part.start = event
    const { seam = '', seams = [] } = (event.meta?.millrace ?? {}) as { readonly seam?: string; readonly seams?: Seams }
    if (event.type === 'block-delta') {
      part.text += event.text
      part.input += seam + withSeams(event.text, seams)
    }
    if (event.type === 'block-patch' && event.text !== undefined) {
      part.text = event.text
      part.input = withSeams(event.text, seams)
    }
    if (event.type === 'block-end') part.end = event
  }
  return [...parts.values()]
}
