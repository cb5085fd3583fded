import { sseFrameOf, type Wire } from '@millrace/core/wire'
import type { WireChunk } from './chunks.ts'

/** A chunk of a wire, with the cursor behind it. */
export interface CursoredChunk extends WireChunk {
  readonly cursor: string
}

/** Consecutive chunks of a run on a wire. Their bytes are made once, however many viewers get them. */
export interface ChunkBatch {
  /** It holds all chunks of the entries behind `after`, up to and including `through`. */
  readonly after: number
  readonly through: number
  readonly chunks: readonly CursoredChunk[]
  /** Its approximate size, in UTF-16 units. */
  readonly size: number
  /** As server-sent events. */
  sse(): Uint8Array
  /** As messages of a WebSocket, in the wire's own shape if it has one. */
  messages(socketMessage: Wire['socketMessage']): readonly Uint8Array[]
}

/** What a batch costs beside its chunks, in UTF-16 units: many empty ones are not free. */
const BATCH_COST = 256

/** How much is sent at once, in UTF-16 units. A viewer that does not read costs about as much. */
const BATCH_SIZE = 32 * 1024

const encoder = new TextEncoder()

/** Divides the chunks behind an entry into batches. The chunks of one entry stay together. */
export function batchesOf(after: number, through: number, chunks: readonly CursoredChunk[]): ChunkBatch[] {
  const batches: ChunkBatch[] = []
  let start = after
  let from = 0
  let size = 0
  const texts: string[] = []
  for (const [at, { chunk, entry }] of chunks.entries()) {
    const text = JSON.stringify(chunk)
    texts.push(text)
    size += text.length
    if (size < BATCH_SIZE || chunks[at + 1]?.entry === entry) continue
    batches.push(createBatch(start, entry.seq, chunks.slice(from, at + 1), texts.slice(from), size))
    start = entry.seq
    from = at + 1
    size = 0
  }
  if (from === 0) return start < through ? [createBatch(start, through, chunks, texts, size)] : []
  if (start < through) batches.push(createBatch(start, through, chunks.slice(from), texts.slice(from), size))
  return batches
}

/** A batch with only the wanted chunks; the batch itself if all are wanted. */
export function selectChunks(batch: ChunkBatch, isWanted: (chunks: CursoredChunk, at: number) => boolean): ChunkBatch {
  const chunks = batch.chunks.filter(isWanted)
  if (chunks.length === batch.chunks.length) return batch
  const texts = chunks.map(({ chunk }) => JSON.stringify(chunk))
  return createBatch(batch.after, batch.through, chunks, texts, batch.size)
}

function createBatch(
  after: number,
  through: number,
  chunks: readonly CursoredChunk[],
  texts: readonly string[],
  size: number,
): ChunkBatch {
  let sse: Uint8Array | undefined
  let messages: readonly Uint8Array[] | undefined
  const cursorAt = (at: number) => chunks[at]?.cursor ?? ''
  return {
    after,
    through,
    chunks,
    size: size + BATCH_COST,
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
          : chunks.map(({ chunk, cursor }) => encoder.encode(JSON.stringify(socketMessage(chunk, cursor))))
      return messages
    },
  }
}
