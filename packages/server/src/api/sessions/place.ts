import { getWire } from '@millrace/core/wire'
import type { Chunk } from '@millrace/core/wire/wire'
import type { Cursor } from '../../deliver/cursor.ts'
import type { Piece } from '../../deliver/piece.ts'

export const DS_AGENT = 'ds-agent'

/** A place in what a session has said. On the wire: the run's id, a colon, and the cursor of that run. */
export interface SessionPlace {
  readonly runId: string
  readonly cursor: Cursor
}

/** Divides the text of a place. A run's id may hold colons, a cursor none. */
export function divided(place: string): { readonly runId: string; readonly cursor: string } {
  const colon = place.lastIndexOf(':')
  return { runId: place.slice(0, Math.max(colon, 0)), cursor: place.slice(colon + 1) }
}

/** A message with the place that stands behind it. */
export function placedMessage(chunk: Chunk, runId: string, cursor: string): Chunk {
  return getWire(DS_AGENT).socketMessage?.(chunk, `${runId}:${cursor}`) ?? chunk
}

const encoder = new TextEncoder()
const encoded = new WeakMap<Piece, readonly Uint8Array[]>()

/** The messages of a piece, made once for all who follow the session. */
export function messagesOf(piece: Piece, runId: string): readonly Uint8Array[] {
  const known = encoded.get(piece)
  if (known !== undefined) return known
  const messages = piece.placed.map(({ chunk, cursor }) =>
    encoder.encode(JSON.stringify(placedMessage(chunk, runId, cursor))),
  )
  encoded.set(piece, messages)
  return messages
}
