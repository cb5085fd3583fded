import type { StreamEvent } from '../../events.ts'
import { type Block, type Speaker, switchTo } from './open-block.ts'
import { createReasoning, type Reasoning } from './reasoning.ts'
import { createTwins, type Twins } from './twins.ts'

/** One Event as it is built: the blocks of its text and reasoning, in the order in which they came. */
export interface Message extends Speaker {
  /** Begins the ids of its blocks. */
  readonly id: string
  /** Whether the stream gave the id: one that only deltas speak of has none. */
  readonly isNamed: boolean
  readonly texts: Block[]
  readonly reasoning: Reasoning
  readonly twins: Twins
  isEnded: boolean
  /** How much of its text a replay has still to say again. */
  toSkip: number
  lastSequence: number
}

export function createMessage(id: string, isNamed: boolean): Message {
  return {
    id,
    isNamed,
    texts: [],
    reasoning: createReasoning(),
    twins: createTwins(),
    open: undefined,
    isEnded: false,
    toSkip: 0,
    lastSequence: -1,
  }
}

/** How long the beginning must be that makes a piece of text the whole so far, said again, and no coincidence. */
const SURELY_WHOLE = 16

/** A piece of text. What the other form, or the stream before it was replayed, has said already changes nothing. */
export function addText(
  message: Message,
  form: 'event' | 'segment',
  text: string,
  sequence: number | null | undefined,
): StreamEvent[] {
  const isSecond = message.twins.isSecond(form, text)
  if (typeof sequence === 'number') {
    if (sequence <= message.lastSequence) return []
    message.lastSequence = sequence
  }
  if (isSecond || text === '') return []
  const skipped = Math.min(message.toSkip, text.length)
  message.toSkip -= skipped
  const rest = text.slice(skipped)
  const current = message.texts.at(-1)
  const isOpen = current !== undefined && current === message.open
  if (form === 'segment' && isOpen && isWhole(rest, current.text))
    return append(current, rest.slice(current.text.length))
  if (rest === '') return []
  return isOpen ? append(current, rest) : newText(message, rest)
}

const isWhole = (text: string, soFar: string) => soFar.length >= SURELY_WHOLE && text.startsWith(soFar)

function append(block: Block, text: string): StreamEvent[] {
  block.text += text
  return text === '' ? [] : [{ type: 'block-delta', blockId: block.id, text }]
}

/** A text of its own, after whatever was there. */
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

/** The whole of the text that was streamed last. */
export function settleText(message: Message, text: string): StreamEvent[] {
  const current = message.texts.at(-1)
  if (text === '' || message.texts.some((block) => block.text === text)) return []
  if (current === undefined || current !== message.open) return newText(message, text)
  current.text = text
  return [{ type: 'block-patch', blockId: current.id, text }]
}

/**
 * The texts of the whole Event. Servers that put all text into one segment say the same as the stream in other pieces;
 * only where the words differ is there something to say.
 */
export function settleTexts(message: Message, whole: readonly string[]): StreamEvent[] {
  const { texts } = message
  const said = texts.map(({ text }) => text).join('')
  const meant = whole.join('')
  if (meant === said || meant === '') return []
  const parts = texts.length === whole.length ? whole : [meant]
  return texts.flatMap((block, place) => {
    const text = parts[place] ?? ''
    if (block.text === text) return []
    block.text = text
    return [{ type: 'block-patch' as const, blockId: block.id, text }]
  })
}
