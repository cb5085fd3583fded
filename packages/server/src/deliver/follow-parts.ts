import type { ChunkBatch, CursoredChunk } from './chunk-batch.ts'
import type { FanOut } from './fan-out.ts'
import { ENOUGH, type Failure, followTo, type Receiver, settlerOf } from './follow.ts'
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

/** Gets the batches of one part after another. */
export interface PartsReceiver {
  /** Like a `Receiver`’s, for a batch of the last part or of an earlier one. */
  deliver(batch: ChunkBatch, isOfLast: boolean): ReturnType<Receiver['deliver']>
  end: Receiver['end']
}

/** Delivers the batches of one part after another, as they come. */
export function followPartsTo(
  fanOut: FanOut,
  parts: readonly ResponsePart[],
  signal: AbortSignal,
  receiver: PartsReceiver,
): void {
  new FollowingParts(fanOut, parts, signal, receiver).follow(0)
}

/** The same for a caller that waits for the end. */
export function followParts(
  fanOut: FanOut,
  parts: readonly ResponsePart[],
  signal: AbortSignal,
  deliver: PartsReceiver['deliver'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    followPartsTo(fanOut, parts, signal, { deliver, end: settlerOf(resolve, reject) })
  })
}

/** One object instead of a function that waits: an idle viewer holds nothing else here (`bench/rows/serve.ts`). */
class FollowingParts implements Receiver {
  readonly #fanOut: FanOut
  readonly #parts: readonly ResponsePart[]
  readonly #signal: AbortSignal
  readonly #receiver: PartsReceiver
  #at = 0

  constructor(fanOut: FanOut, parts: readonly ResponsePart[], signal: AbortSignal, receiver: PartsReceiver) {
    this.#fanOut = fanOut
    this.#parts = parts
    this.#signal = signal
    this.#receiver = receiver
  }

  follow(at: number): void {
    this.#at = at
    const part = this.#parts[at]
    if (part === undefined) {
      this.#receiver.end()
      return
    }
    try {
      followTo(this.#fanOut, { ...part, signal: this.#signal }, this)
    } catch (error) {
      this.#receiver.end({ error })
    }
  }

  deliver(batch: ChunkBatch): ReturnType<Receiver['deliver']> {
    const endsAt = this.#parts[this.#at]?.endsAt
    return endsAt === undefined ? this.#pass(batch) : this.#passUpTo(endsAt, batch)
  }

  end(failure?: Failure): void {
    if (failure === undefined) this.follow(this.#at + 1)
    else this.#receiver.end(failure)
  }

  #pass(batch: ChunkBatch): ReturnType<Receiver['deliver']> {
    return this.#receiver.deliver(batch, this.#at === this.#parts.length - 1)
  }

  async #passUpTo(endsAt: (chunk: CursoredChunk) => boolean, batch: ChunkBatch): Promise<unknown> {
    const end = endOf(batch.chunks, batch.chunks.map(endsAt))
    if (end === -1) return this.#pass(batch)
    await this.#pass(batch.select((_, at) => at <= end))
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
