import type { Entry } from '@millrace/core/events'
import { type Chunk, cursorFirstFrameOf, sseFrameOf, type Wire } from '@millrace/core/wire'
import type { EntryLines } from '../log/entry-lines.ts'
import type { WireChunk } from './chunks.ts'

/** A chunk of a wire, with the cursor behind it. */
export interface CursoredChunk extends WireChunk {
  readonly cursor: string
}

/** What a batch costs beside its chunks, in UTF-16 units: many empty ones are not free. */
const BATCH_COST = 256

/** How much is sent at once, in UTF-16 units. A viewer that does not read costs about as much. */
const BATCH_SIZE = 32 * 1024

const encoder = new TextEncoder()

/** Consecutive chunks of a run on a wire. Their bytes are made once, however many viewers get them. */
export class ChunkBatch {
  /** It holds all chunks of the entries behind `after`, up to and including `through`. */
  readonly after: number
  readonly through: number
  /** Its approximate size, in UTF-16 units. */
  readonly size: number
  readonly #texts: readonly string[]
  #chunks: readonly CursoredChunk[] | undefined
  #sse: Uint8Array | undefined
  #sseCursorsFirst: Uint8Array | undefined
  #messages: readonly Uint8Array[] | undefined

  /** Without `chunks`, each text is the line of one entry. */
  constructor(
    { after, through }: Pick<ChunkBatch, 'after' | 'through'>,
    texts: readonly string[],
    size: number,
    chunks?: readonly CursoredChunk[],
  ) {
    this.after = after
    this.through = through
    this.size = size + BATCH_COST
    this.#texts = texts
    this.#chunks = chunks
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0
  }

  get chunks(): readonly CursoredChunk[] {
    this.#chunks ??= this.#texts.map((text, at) => {
      const entry = JSON.parse(text) as Entry
      return { cursor: this.#cursorAt(at), chunk: entry as unknown as Chunk, entry, index: 0 }
    })
    return this.#chunks
  }

  #cursorAt(at: number): string {
    return this.#chunks?.[at]?.cursor ?? String(this.after + at + 1)
  }

  /** As server-sent events. */
  sse(): Uint8Array {
    this.#sse ??= this.#framesBy(sseFrameOf)
    return this.#sse
  }

  /** The same, each cursor before its data. */
  sseCursorsFirst(): Uint8Array {
    this.#sseCursorsFirst ??= this.#framesBy(cursorFirstFrameOf)
    return this.#sseCursorsFirst
  }

  #framesBy(frameOf: (json: string, cursor: string) => string): Uint8Array {
    let frames = ''
    for (let at = 0; at < this.#texts.length; at++) frames += frameOf(this.#texts[at] as string, this.#cursorAt(at))
    // From a pool: a short text needs no memory of its own.
    return Buffer.from(frames)
  }

  /** As server-sent events without ids. */
  sseWithoutCursors(): Uint8Array {
    return Buffer.from(this.#texts.map((text) => `data: ${text}\n\n`).join(''))
  }

  /** As messages of a WebSocket, in the wire's own shape if it has one. */
  messages(socketMessage: Wire['socketMessage']): readonly Uint8Array[] {
    this.#messages ??=
      socketMessage === undefined
        ? this.#texts.map((text, at) => encoder.encode(`{"id":${JSON.stringify(this.#cursorAt(at))},"chunk":${text}}`))
        : this.chunks.map(({ chunk, cursor }) => encoder.encode(JSON.stringify(socketMessage(chunk, cursor))))
    return this.#messages
  }

  /** A batch with only the wanted chunks; itself if all are wanted. */
  select(isWanted: (chunk: CursoredChunk, at: number) => boolean): ChunkBatch {
    const chunks = this.chunks.filter(isWanted)
    if (chunks.length === this.chunks.length) return this
    const texts = chunks.map(({ chunk }) => JSON.stringify(chunk))
    return new ChunkBatch(this, texts, this.size, chunks)
  }
}

/** Divides the chunks behind an entry into batches. The chunks of one entry stay together. */
export function batchesOf(after: number, through: number, chunks: readonly CursoredChunk[]): ChunkBatch[] {
  const texts = chunks.map(({ chunk }) => JSON.stringify(chunk))
  const small = smallBatch(after, through, texts, chunks)
  if (small !== undefined) return [small]
  const seqAt = (at: number) => chunks[at]?.entry.seq ?? 0
  return divide(after, through, texts, seqAt, (from, to) => chunks.slice(from, to))
}

/** Divides entries into batches, for a wire whose chunks are the entries. */
export function batchesOfLines({ after, lines }: EntryLines): ChunkBatch[] {
  const through = after + lines.length
  const small = smallBatch(after, through, lines)
  if (small !== undefined) return [small]
  return divide(
    after,
    through,
    lines,
    (at) => after + at + 1,
    () => undefined,
  )
}

/** One batch, if there is so little. Most often there is: what divides would cost more than the batch (`bench/rows/serve.ts`). */
function smallBatch(
  after: number,
  through: number,
  texts: readonly string[],
  chunks?: readonly CursoredChunk[],
): ChunkBatch | undefined {
  let size = 0
  for (const text of texts) size += text.length
  return size < BATCH_SIZE && after < through ? new ChunkBatch({ after, through }, texts, size, chunks) : undefined
}

function divide(
  after: number,
  through: number,
  texts: readonly string[],
  seqAt: (at: number) => number,
  chunksOf: (from: number, to: number) => readonly CursoredChunk[] | undefined,
): ChunkBatch[] {
  const batches: ChunkBatch[] = []
  let [start, from, size] = [after, 0, 0]
  const add = (end: number, to: number) => {
    const isWhole = from === 0 && to === texts.length
    const own = isWhole ? texts : texts.slice(from, to)
    batches.push(new ChunkBatch({ after: start, through: end }, own, size, chunksOf(from, to)))
    start = end
    from = to
    size = 0
  }
  for (let at = 0; at < texts.length; at++) {
    size += (texts[at] as string).length
    if (size < BATCH_SIZE || (at + 1 < texts.length && seqAt(at + 1) === seqAt(at))) continue
    add(seqAt(at), at + 1)
  }
  if (start < through) add(through, texts.length)
  return batches
}
