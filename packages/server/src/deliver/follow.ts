import type { ChunkBatch } from './chunk-batch.ts'
import type { Waiting } from './convoy.ts'
import type { FanOut } from './fan-out.ts'
import type { Viewer, Watch } from './viewer.ts'

/** What `deliver` resolves with when no more is wanted. */
export const ENOUGH = Symbol('enough')

export interface Failure {
  readonly error: unknown
}

/** Gets the batches of a run. */
export interface Receiver {
  /** Returns a promise if the viewer does not keep up; one that resolves with `ENOUGH` if no more is wanted. */
  deliver(batch: ChunkBatch): Promise<unknown> | undefined
  /** Called once, when nothing more is delivered; with the failure if the log or `deliver` has failed. MUST NOT throw. */
  end(failure?: Failure): void
}

/**
 * Delivers each batch as it comes, until the run is over, the viewer is gone, or `deliver` resolves with `ENOUGH`. Nothing is
 * awaited if `deliver` returns undefined, and nothing is allocated to wait for the next batch (`bench/rows/serve.ts`).
 */
export function followTo(fanOut: FanOut, watch: Watch, receiver: Receiver): void {
  new Following(fanOut.watch(watch), watch.signal, receiver).wake()
}

/** The same for a caller that waits for the end. */
export function follow(fanOut: FanOut, watch: Watch, deliver: Receiver['deliver']): Promise<void> {
  return new Promise((resolve, reject) => followTo(fanOut, watch, { deliver, end: settlerOf(resolve, reject) }))
}

/** The end of a receiver that settles a promise. */
export const settlerOf =
  (resolve: () => void, reject: (error: unknown) => void): Receiver['end'] =>
  (failure) =>
    failure === undefined ? resolve() : reject(failure.error)

class Following implements Waiting {
  readonly #viewer: Viewer
  readonly #signal: AbortSignal
  readonly #receiver: Receiver

  constructor(viewer: Viewer, signal: AbortSignal, receiver: Receiver) {
    this.#viewer = viewer
    this.#signal = signal
    this.#receiver = receiver
  }

  /** Delivers all that is there. */
  wake(): void {
    try {
      while (!this.#signal.aborted) {
        const batch = this.#viewer.take()
        if (batch === undefined) {
          if (this.#viewer.isOver()) break
          this.#viewer.wait(this)
          return
        }
        const delivery = this.#receiver.deliver(batch)
        if (delivery === undefined) continue
        delivery.then((answer) => this.#goOn(answer)).catch((error: unknown) => this.#end({ error }))
        return
      }
    } catch (error) {
      this.#end({ error })
      return
    }
    this.#end()
  }

  #goOn(answer: unknown): void {
    if (answer === ENOUGH) this.#end()
    else this.wake()
  }

  #end(failure?: Failure): void {
    this.#viewer.leave()
    this.#receiver.end(failure)
  }
}
