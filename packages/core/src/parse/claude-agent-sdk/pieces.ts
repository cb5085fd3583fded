import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

/** How much of a streamed block is remembered to be compared, and how many blocks may be open or still unrepeated. */
const MAX_TEXT = 64 * 1024
const MAX_PIECES = 32

/** A block of prose that was streamed, and that a whole line is about to say again. */
export interface Piece {
  readonly blockId: string
  readonly kind: string
  /** Unknown where the stream was joined after the message's start. */
  readonly messageId: string | undefined
  text: string
  length: number
  isOpen: boolean
  isSigned: boolean
}

/** What one agent streamed and did not yet say as a whole. */
export interface Pieces {
  note(event: StreamEvent, messageId: string | undefined): void
  /** The piece that a whole block repeats, which is then forgotten. */
  claim(kind: string, text: string, messageId: string | undefined): Piece | undefined
  /** Forgets the blocks that were cut off, and gives them. */
  cut(): readonly Piece[]
}

export function createPieces(): Pieces {
  let waiting: Piece[] = []
  const open = new Map<string, Piece>()

  function start({ blockId, kind, variant }: EventOf<'block-start'>, messageId: string | undefined): void {
    const piece: Piece = {
      blockId,
      kind: variant ?? kind,
      messageId,
      text: '',
      length: 0,
      isOpen: true,
      isSigned: false,
    }
    remember(open, blockId, piece, MAX_PIECES)
    waiting.push(piece)
    if (waiting.length > MAX_PIECES) waiting.shift()
  }

  return {
    note(event, messageId) {
      if (event.type === 'block-delta') {
        const piece = open.get(event.blockId)
        if (piece === undefined) return
        piece.length += event.text.length
        if (piece.text.length <= MAX_TEXT) piece.text += event.text
      } else if (event.type === 'block-start') start(event, messageId)
      else if (event.type === 'block-patch') {
        const piece = open.get(event.blockId)
        if (piece !== undefined && event.signature !== undefined) piece.isSigned = true
      } else if (event.type === 'block-end') {
        const piece = open.get(event.blockId)
        if (piece !== undefined) piece.isOpen = false
        open.delete(event.blockId)
      }
    },
    claim(kind, text, messageId) {
      const alike = waiting.filter((piece) => piece.kind === kind)
      const own = messageId === undefined ? [] : alike.filter((piece) => piece.messageId === messageId)
      const unknown = alike.filter((piece) => piece.messageId === undefined || messageId === undefined)
      const claimed =
        own.find((piece) => piece.length > 0 && begins(text, piece)) ??
        own[0] ??
        unknown.find((piece) => piece.length > 0 && isSame(text, piece))
      if (claimed !== undefined) waiting = waiting.filter((piece) => piece !== claimed)
      return claimed
    },
    cut() {
      const cut = [...open.values()]
      open.clear()
      return cut
    },
  }
}

/** Whether a whole text is what was streamed of it, and perhaps goes on from there. */
function begins(text: string, piece: Piece): boolean {
  return text.length >= piece.length && text.startsWith(piece.text)
}

function isSame(text: string, piece: Piece): boolean {
  return text.length === piece.length && text.startsWith(piece.text)
}

/** What a whole block adds to the piece that it repeats: most often nothing. */
export function added(piece: Piece, text: string, signature: string | null | undefined): StreamEvent[] {
  const patch = {
    ...(isSame(text, piece) ? {} : { text }),
    ...(signature && !piece.isSigned ? { signature } : {}),
  }
  return Object.keys(patch).length === 0 ? [] : [{ type: 'block-patch', blockId: piece.blockId, ...patch }]
}
