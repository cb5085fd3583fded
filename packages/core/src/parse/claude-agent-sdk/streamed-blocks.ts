import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

/** How much of a streamed block is kept for comparison, and how many blocks may be open or not yet repeated. */
const MAX_TEXT = 64 * 1024
const MAX_BLOCKS = 32

/** A prose block that was streamed and that a whole line will repeat. */
export interface StreamedBlock {
  readonly blockId: string
  readonly kind: string
  /** Undefined if the stream was joined after the start of the message. */
  readonly messageId: string | undefined
  text: string
  length: number
  isOpen: boolean
  isSigned: boolean
}

/** The blocks that one agent streamed and that no whole line has repeated yet. */
export interface StreamedBlocks {
  note(event: StreamEvent, messageId: string | undefined): void
  /** Returns the streamed block that a whole block repeats, and forgets it. */
  claim(kind: string, text: string, messageId: string | undefined): StreamedBlock | undefined
  /** Returns the blocks that are still open, and forgets them. */
  cut(): readonly StreamedBlock[]
}

export function createStreamedBlocks(): StreamedBlocks {
  let waiting: StreamedBlock[] = []
  const open = new Map<string, StreamedBlock>()

  function start({ blockId, kind, variant }: EventOf<'block-start'>, messageId: string | undefined): void {
    const block: StreamedBlock = {
      blockId,
      kind: variant ?? kind,
      messageId,
      text: '',
      length: 0,
      isOpen: true,
      isSigned: false,
    }
    remember(open, blockId, block, MAX_BLOCKS)
    waiting.push(block)
    if (waiting.length > MAX_BLOCKS) waiting.shift()
  }

  return {
    note(event, messageId) {
      if (event.type === 'block-delta') {
        const block = open.get(event.blockId)
        if (block === undefined) return
        block.length += event.text.length
        if (block.text.length <= MAX_TEXT) block.text += event.text
      } else if (event.type === 'block-start') start(event, messageId)
      else if (event.type === 'block-patch') {
        const block = open.get(event.blockId)
        if (block !== undefined && event.signature !== undefined) block.isSigned = true
      } else if (event.type === 'block-end') {
        const block = open.get(event.blockId)
        if (block !== undefined) block.isOpen = false
        open.delete(event.blockId)
      }
    },
    claim(kind, text, messageId) {
      const alike = waiting.filter((block) => block.kind === kind)
      const ofMessage = messageId === undefined ? [] : alike.filter((block) => block.messageId === messageId)
      const ofNoMessage = alike.filter((block) => block.messageId === undefined || messageId === undefined)
      const claimed =
        ofMessage.find((block) => block.length > 0 && isBeginning(text, block)) ??
        ofMessage[0] ??
        ofNoMessage.find((block) => block.length > 0 && isSame(text, block))
      if (claimed !== undefined) waiting = waiting.filter((block) => block !== claimed)
      return claimed
    },
    cut() {
      const cut = [...open.values()]
      open.clear()
      return cut
    },
  }
}

/** Whether a whole text begins with what was streamed of it. */
function isBeginning(text: string, block: StreamedBlock): boolean {
  return text.length >= block.length && text.startsWith(block.text)
}

function isSame(text: string, block: StreamedBlock): boolean {
  return text.length === block.length && text.startsWith(block.text)
}

/** What a whole block adds to the streamed block that it repeats: most often nothing. */
export function patchEvents(block: StreamedBlock, text: string, signature: string | null | undefined): StreamEvent[] {
  const patch = {
    ...(isSame(text, block) ? {} : { text }),
    ...(signature && !block.isSigned ? { signature } : {}),
  }
  return Object.keys(patch).length === 0 ? [] : [{ type: 'block-patch', blockId: block.blockId, ...patch }]
}
