import type { EventOf } from '../../events.ts'
import type { Out } from '../kit/voice.ts'

/** A block of a message with its text so far. */
export interface Block {
  readonly id: string
  text: string
}

/** One Event while it is built. */
export interface Message {
  /** The prefix of the ids of its text blocks. */
  readonly id: string
  /** Whether the stream has the id. An Event that only has deltas gets a generated one. */
  readonly isNamed: boolean
  /** The text blocks, in the order in which they came. */
  readonly texts: Block[]
  readonly deltas: Deltas
  /** The reasoning: items of parts. */
  readonly reasoning: Map<string, ReasoningItem>
  /** The open block, of any kind. */
  open: Block | undefined
  isEnded: boolean
}

export interface ReasoningItem {
  readonly blocks: Block[]
  /** Sorted by index. */
  readonly parts: ReasoningPart[]
}

export interface ReasoningPart {
  readonly index: number
  text: string
  readonly deltas: Deltas
}

export function createMessage(id: string, isNamed: boolean): Message {
  return { id, isNamed, texts: [], deltas: createDeltas(), reasoning: new Map(), open: undefined, isEnded: false }
}

/** Ends the block of a message that is open. */
export function endBlock(out: Out, message: Message | undefined): void {
  if (message?.open === undefined) return
  out.push({ type: 'block-end', blockId: message.open.id })
  message.open = undefined
}

/** Begins a block as the last one of `blocks`. */
export function beginBlock(
  out: Out,
  message: Message,
  blocks: Block[],
  { text = '', ...start }: Omit<EventOf<'block-start'>, 'type'> & { readonly text?: string },
): Block {
  const block = { id: start.blockId, text }
  endBlock(out, message)
  message.open = block
  blocks.push(block)
  out.push({ type: 'block-start', ...start })
  if (text !== '') out.push({ type: 'block-delta', blockId: block.id, text })
  return block
}

/** The last of the blocks, if it is the open one. */
export function openOf({ open }: Message, blocks: readonly Block[]): Block | undefined {
  return open !== undefined && blocks.at(-1) === open ? open : undefined
}

export function extendBlock(out: Out, block: Block, text: string): void {
  block.text += text
  if (text !== '') out.push({ type: 'block-delta', blockId: block.id, text })
}

export function rewriteBlock(out: Out, block: Block, text: string): void {
  block.text = text
  out.push({ type: 'block-patch', blockId: block.id, text })
}

export type Form = 'event' | 'segment'
type Sequence = number | null | undefined

/** How many deltas of one form are remembered until the other form repeats them. */
const MAX_UNMATCHED = 64

/**
 * The deltas of one text. Some servers send every delta twice, as an event of its own and as a segment. A delta is a
 * repetition if its text equals the oldest delta that only the other form has sent.
 */
interface Deltas {
  /** What a delta adds that neither the other form nor the stream before a replay has sent. */
  newTextIn(form: Form, text: string, sequence: Sequence): string
  /** The stream begins again: it first repeats this many characters. */
  replay(length: number): void
}

export function createDeltas(): Deltas {
  let lastForm: Form = 'event'
  let unmatched: string[] = []
  let lastSequence = -1
  let toSkip = 0

  function isRepeated(form: Form, text: string): boolean {
    if (form !== lastForm && unmatched[0] === text) {
      unmatched.shift()
      return true
    }
    if (form !== lastForm) unmatched = []
    lastForm = form
    unmatched.push(text)
    if (unmatched.length > MAX_UNMATCHED) unmatched.shift()
    return false
  }

  return {
    newTextIn(form, text, sequence) {
      const isSecond = isRepeated(form, text)
      if (typeof sequence === 'number') {
        if (sequence <= lastSequence) return ''
        lastSequence = sequence
      }
      if (isSecond) return ''
      const skipped = Math.min(toSkip, text.length)
      toSkip -= skipped
      return text.slice(skipped)
    },
    replay(length) {
      toSkip = length
      lastSequence = -1
    },
  }
}

/** From this length on, a segment that begins with the text so far is taken for the whole text, not for a delta. */
const SURELY_WHOLE = 16

export function addText(out: Out, message: Message, form: Form, delta: string, sequence: Sequence): void {
  const text = message.deltas.newTextIn(form, delta, sequence)
  const block = openOf(message, message.texts)
  if (block === undefined) beginText(out, message, text)
  else {
    const isWhole = form === 'segment' && block.text.length >= SURELY_WHOLE && text.startsWith(block.text)
    extendBlock(out, block, isWhole ? text.slice(block.text.length) : text)
  }
}

export function beginText(out: Out, message: Message, text: string): void {
  const blockId = `${message.id}:text-${message.texts.length}`
  if (text !== '') beginBlock(out, message, message.texts, { blockId, kind: 'text', text })
}

/** Settles the last streamed text to its whole text. */
export function settleText(out: Out, message: Message, text: string): void {
  if (text === '' || message.texts.some((block) => block.text === text)) return
  const block = openOf(message, message.texts)
  if (block === undefined) beginText(out, message, text)
  else rewriteBlock(out, block, text)
}

/**
 * Settles the texts of the whole Event. Servers that put all text into one segment split it differently from the
 * stream, so blocks are patched only if the joined text differs.
 */
export function settleTexts(out: Out, { texts }: Message, whole: readonly string[]): void {
  const wholeText = whole.join('')
  if (wholeText === '' || wholeText === texts.map(({ text }) => text).join('')) return
  const parts = texts.length === whole.length ? whole : [wholeText]
  texts.forEach((block, index) => {
    const text = parts[index] ?? ''
    if (block.text !== text) rewriteBlock(out, block, text)
  })
}
