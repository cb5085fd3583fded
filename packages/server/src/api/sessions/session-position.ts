import { type Chunk, getWire } from '@millrace/core/wire'
import type { ChunkBatch } from '../../deliver/chunk-batch.ts'
import type { Cursor } from '../../deliver/cursor.ts'

export const DS_AGENT = 'ds-agent'

/** A position in a session. On the wire: the run's id, a colon, and a cursor in that run. */
export interface SessionPosition {
  readonly runId: string
  readonly cursor: Cursor
}

/** Splits the text of a position. A run's id may contain colons, a cursor does not. */
export function splitPosition(position: string): { readonly runId: string; readonly cursor: string } {
  const colon = position.lastIndexOf(':')
  return { runId: position.slice(0, Math.max(colon, 0)), cursor: position.slice(colon + 1) }
}

/** A message with the position behind it. */
export function messageWithPosition(chunk: Chunk, runId: string, cursor: string): Chunk {
  return getWire(DS_AGENT).socketMessage?.(chunk, `${runId}:${cursor}`) ?? chunk
}

const encoder = new TextEncoder()
const encoded = new WeakMap<ChunkBatch, readonly Uint8Array[]>()

/** The messages of a batch, encoded once for all clients of the session. */
export function messagesOf(batch: ChunkBatch, runId: string): readonly Uint8Array[] {
  const messagesOfBatch = encoded.get(batch)
  if (messagesOfBatch !== undefined) return messagesOfBatch
  const messages = batch.chunks.map(({ chunk, cursor }) =>
    encoder.encode(JSON.stringify(messageWithPosition(chunk, runId, cursor))),
  )
  encoded.set(batch, messages)
  return messages
}
