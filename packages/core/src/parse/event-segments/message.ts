import type { Out } from '../kit/voice.ts'

/** A block of a message with its text so far. */
export interface Block {
  readonly id: string
  text: string
}

/** A message has at most one open block, of any kind. */
export interface OpenBlockHolder {
  open: Block | undefined
}

/** Makes a block the open one and ends the block that was open. */
export function switchTo(out: Out, holder: OpenBlockHolder | undefined, block: Block | undefined): void {
  if (holder === undefined || holder.open === block) return
  if (holder.open !== undefined) out.push({ type: 'block-end', blockId: holder.open.id })
  holder.open = block
}

export type Form = 'event' | 'segment'

/** How many deltas of one form are remembered until the other form repeats them. */
const MAX_UNMATCHED = 64

/**
 * The deltas of one text. Some servers send every delta twice, as an event of its own and as a segment. A delta is a
 * repetition if its text equals the oldest delta that only the other form has sent.
 */
export interface Deltas {
  /** What a delta adds that neither the other form nor the stream before a replay has sent. */
  newTextIn(form: Form, text: string, sequence: number | null | undefined): string
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

/** The text of one Event while it is built: its blocks, in the order in which they came. */
export interface TextHolder extends OpenBlockHolder {
  /** The prefix of the ids of its blocks. */
  readonly id: string
  readonly texts: Block[]
  readonly deltas: Deltas
}

/** From this length on, a segment that begins with the text so far is taken for the whole text, not for a delta. */
const SURELY_WHOLE = 16

export function addText(
  out: Out,
  message: TextHolder,
  form: Form,
  delta: string,
  sequence: number | null | undefined,
): void {
  const text = message.deltas.newTextIn(form, delta, sequence)
  const current = message.texts.at(-1)
  if (current === undefined || current !== message.open) {
    newText(out, message, text)
    return
  }
  const isWhole = form === 'segment' && current.text.length >= SURELY_WHOLE && text.startsWith(current.text)
  const more = isWhole ? text.slice(current.text.length) : text
  current.text += more
  if (more !== '') out.push({ type: 'block-delta', blockId: current.id, text: more })
}

/** Begins a new text block. */
export function newText(out: Out, message: TextHolder, text: string): void {
  if (text === '') return
  const block = { id: `${message.id}:text-${message.texts.length}`, text }
  message.texts.push(block)
  switchTo(out, message, block)
  out.push({ type: 'block-start', blockId: block.id, kind: 'text' }, { type: 'block-delta', blockId: block.id, text })
}

/** Settles the last streamed text to its whole text. */
export function settleText(out: Out, message: TextHolder, text: string): void {
  const current = message.texts.at(-1)
  if (text === '' || message.texts.some((block) => block.text === text)) return
  if (current === undefined || current !== message.open) newText(out, message, text)
  else rewriteBlock(out, current, text)
}

/**
 * Settles the texts of the whole Event. Servers that put all text into one segment split it differently from the
 * stream, so blocks are patched only if the joined text differs.
 */
export function settleTexts(out: Out, { texts }: TextHolder, whole: readonly string[]): void {
  const wholeText = whole.join('')
  if (wholeText === '' || wholeText === texts.map(({ text }) => text).join('')) return
  const parts = texts.length === whole.length ? whole : [wholeText]
  texts.forEach((block, index) => {
    const text = parts[index] ?? ''
    if (block.text !== text) rewriteBlock(out, block, text)
  })
}

export function rewriteBlock(out: Out, block: Block, text: string): void {
  block.text = text
  out.push({ type: 'block-patch', blockId: block.id, text })
}
