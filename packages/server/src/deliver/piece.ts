import { sseFrameOf } from '@millrace/core/wire/sse-frames'
import type { Wire } from '@millrace/core/wire/wire'
import type { ChunkOf } from './chunks.ts'

/** A chunk of a wire, with the cursor that stands behind it. */
export interface Placed extends ChunkOf {
  readonly cursor: string
}

/** A stretch of what a wire says of a run. Its bytes are made once, however many viewers get them. */
export interface Piece {
  /** It says all of the entries behind the first number, up to the second. */
  readonly after: number
  readonly through: number
  readonly placed: readonly Placed[]
  /** About how large it is, in UTF-16 units. */
  readonly size: number
  /** As server-sent events. */
  sse(): Uint8Array
  /** As messages of a WebSocket, in the shape that the wire gives them. */
  messages(socketMessage: Wire['socketMessage']): readonly Uint8Array[]
}

/** What a piece costs by itself, in UTF-16 units: many that say nothing are not free. */
const ITSELF = 256

/** About how much goes out at once, in UTF-16 units: what a viewer that stands still costs. */
const PIECE = 32 * 1024

const encoder = new TextEncoder()

/** The chunks behind an entry, in pieces. No entry is divided. */
export function piecesOf(after: number, through: number, placed: readonly Placed[]): Piece[] {
  const pieces: Piece[] = []
  let start = after
  let from = 0
  let size = 0
  const texts: string[] = []
  for (const [at, { chunk, entry }] of placed.entries()) {
    const text = JSON.stringify(chunk)
    texts.push(text)
    size += text.length
    if (size < PIECE || placed[at + 1]?.entry === entry) continue
    pieces.push(createPiece(start, entry.seq, placed.slice(from, at + 1), texts.slice(from), size))
    start = entry.seq
    from = at + 1
    size = 0
  }
  if (from === 0) return start < through ? [createPiece(start, through, placed, texts, size)] : []
  if (start < through) pieces.push(createPiece(start, through, placed.slice(from), texts.slice(from), size))
  return pieces
}

/** The chunks of a piece that a viewer is to get; the piece itself where they are all. */
export function pick(piece: Piece, isWanted: (placed: Placed, at: number) => boolean): Piece {
  const placed = piece.placed.filter(isWanted)
  if (placed.length === piece.placed.length) return piece
  const texts = placed.map(({ chunk }) => JSON.stringify(chunk))
  return createPiece(piece.after, piece.through, placed, texts, piece.size)
}

function createPiece(
  after: number,
  through: number,
  placed: readonly Placed[],
  texts: readonly string[],
  size: number,
): Piece {
  let sse: Uint8Array | undefined
  let messages: readonly Uint8Array[] | undefined
  const cursorAt = (at: number) => placed[at]?.cursor ?? ''
  return {
    after,
    through,
    placed,
    size: size + ITSELF,
    sse() {
      if (sse !== undefined) return sse
      let frames = ''
      for (let at = 0; at < texts.length; at++) frames += sseFrameOf(texts[at] as string, cursorAt(at))
      sse = encoder.encode(frames)
      return sse
    },
    messages(socketMessage) {
      messages ??=
        socketMessage === undefined
          ? texts.map((text, at) => encoder.encode(`{"id":${JSON.stringify(cursorAt(at))},"chunk":${text}}`))
          : placed.map(({ chunk, cursor }) => encoder.encode(JSON.stringify(socketMessage(chunk, cursor))))
      return messages
    },
  }
}
