import type { StreamEvent } from '../../events.ts'
import { type Block, createRepeatedDeltas, type OpenBlockHolder, type RepeatedDeltas, switchTo } from './blocks.ts'
import { createReasoning, type Reasoning } from './reasoning.ts'

/** One Event while it is built: the blocks of its text and reasoning, in the order in which they came. */
export interface Message extends OpenBlockHolder {
  /** The prefix of the ids of its blocks. */
  readonly id: string
  /** Whether the stream has the id. An Event that only has deltas gets a generated one. */
  readonly isNamed: boolean
  readonly texts: Block[]
  readonly reasoning: Reasoning
  readonly repeatedDeltas: RepeatedDeltas
  isEnded: boolean
  /** How many characters of its text a replay still has to repeat. */
  toSkip: number
  lastSequence: number
}

export function createMessage(id: string, isNamed: boolean): Message {
  return {
    id,
    isNamed,
    texts: [],
    reasoning: createReasoning(),
    repeatedDeltas: createRepeatedDeltas(),
    open: undefined,
    isEnded: false,
    toSkip: 0,
    lastSequence: -1,
  }
}

/** From this length on, a segment that begins with the text so far is taken for the whole text, not for a delta. */
const SURELY_WHOLE = 16

/** Adds a text delta. What the other form or the stream before a replay already had is not added again. */
export function addText(
  message: Message,
  form: 'event' | 'segment',
  text: string,
  sequence: number | null | undefined,
): StreamEvent[] {
  const isRepeated = message.repeatedDeltas.isRepeated(form, text)
  if (typeof sequence === 'number') {
    if (sequence <= message.lastSequence) return []
    message.lastSequence = sequence
  }
  if (isRepeated || text === '') return []
  const skipped = Math.min(message.toSkip, text.length)
  message.toSkip -= skipped
  const remainder = text.slice(skipped)
  const current = message.texts.at(-1)
  const isOpen = current !== undefined && current === message.open
  if (form === 'segment' && isOpen && isWhole(remainder, current.text))
    return append(current, remainder.slice(current.text.length))
  if (remainder === '') return []
  return isOpen ? append(current, remainder) : newText(message, remainder)
}

const isWhole = (text: string, soFar: string) => soFar.length >= SURELY_WHOLE && text.startsWith(soFar)

function append(block: Block, text: string): StreamEvent[] {
  block.text += text
  return text === '' ? [] : [{ type: 'block-delta', blockId: block.id, text }]
}

/** Begins a new text block. */
export function newText(message: Message, text: string): StreamEvent[] {
  if (text === '') return []
  const block = { id: `${message.id}:text-${message.texts.length}`, text }
  message.texts.push(block)
  return [
    ...switchTo(message, block),
    { type: 'block-start', blockId: block.id, kind: 'text' },
    { type: 'block-delta', blockId: block.id, text },
  ]
}

/** Settles the last streamed text to its whole text. */
export function settleText(message: Message, text: string): StreamEvent[] {
  const current = message.texts.at(-1)
  if (text === '' || message.texts.some((block) => block.text === text)) return []
  if (current === undefined || current !== message.open) return newText(message, text)
  current.text = text
  return [{ type: 'block-patch', blockId: current.id, text }]
}

/**
 * Settles the texts of the whole Event. Servers that put all text into one segment split it differently from the
 * stream, so blocks are patched only if the joined text differs.
 */
export function settleTexts(message: Message, whole: readonly string[]): StreamEvent[] {
  const { texts } = message
  const emittedText = texts.map(({ text }) => text).join('')
  const wholeText = whole.join('')
  if (wholeText === emittedText || wholeText === '') return []
  const parts = texts.length === whole.length ? whole : [wholeText]
  return texts.flatMap((block, index) => {
    const text = parts[index] ?? ''
    if (block.text === text) return []
    block.text = text
    return [{ type: 'block-patch' as const, blockId: block.id, text }]
  })
}
