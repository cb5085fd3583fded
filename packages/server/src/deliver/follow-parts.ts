import type { ChunkBatch, CursoredChunk } from './chunk-batch.ts'
import type { FanOut } from './fan-out.ts'
import { type Deliver, ENOUGH, follow } from './follow.ts'
import type { Watch } from './viewer.ts'

/** A response's share of one run: all chunks behind its cursor, up to a certain chunk or the run's end. */
export interface ResponsePart extends Omit<Watch, 'signal'> {
  /**
   * Whether the part may end behind this chunk although the run goes on: the run waits for answers there. Called once with
   * every chunk, in order.
   */
  readonly endsAt?: (chunk: CursoredChunk) => boolean
}

/** Parts of one wire, sent one after another in one response. */
export type ResponseParts = readonly [ResponsePart, ...ResponsePart[]]

/** Like `Deliver`, for a batch of the last part or of an earlier one. */
type DeliverOfPart = (batch: ChunkBatch, isOfLast: boolean) => ReturnType<Deliver>

/** Delivers the batches of one part after another, as they come. */
export async function followParts(
  fanOut: FanOut,
  parts: readonly ResponsePart[],
  signal: AbortSignal,
  deliverOfPart: DeliverOfPart,
): Promise<void> {
  for (const [at, { endsAt, ...watch }] of parts.entries()) {
    const deliver: Deliver = (batch) => deliverOfPart(batch, at === parts.length - 1)
    await follow(fanOut, { ...watch, signal }, endsAt === undefined ? deliver : cutAt(endsAt, deliver))
  }
}

function cutAt(endsAt: (chunk: CursoredChunk) => boolean, deliver: Deliver): Deliver {
  return async (batch) => {
    const end = endOf(batch.chunks, batch.chunks.map(endsAt))
    if (end === -1) return deliver(batch)
    await deliver(batch.select((_, at) => at <= end))
    return ENOUGH
  }
}

/**
 * Where a part ends: where the run waits, but not before a question that follows in the same batch. Questions that are
 * asked at once reach the client at once.
 */
function endOf(chunks: readonly CursoredChunk[], isEnd: readonly boolean[]): number {
  let end = isEnd.indexOf(true)
  while (end !== -1) {
    const from = end
    const next = chunks.findIndex(({ entry }, at) => at > from && entry.event.type === 'approval')
    const event = chunks[next]?.entry.event
    if (event?.type !== 'approval' || event.state !== 'requested') return end
    end = isEnd.indexOf(true, next)
  }
  return -1
}
