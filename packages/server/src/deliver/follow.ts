import type { ChunkBatch } from './chunk-batch.ts'
import type { FanOut } from './fan-out.ts'
import type { Viewer, Watch } from './viewer.ts'

/** What `deliver` resolves with when no more is wanted. */
export const ENOUGH = Symbol('enough')

/** Returns a promise if the viewer does not keep up. */
export type Deliver = (batch: ChunkBatch) => Promise<unknown> | undefined

/**
 * Delivers each batch as it comes, until the run is over, the viewer is gone, or `deliver` resolves with `ENOUGH`. Nothing is
 * awaited if `deliver` returns undefined, and nothing is allocated to wait for the next batch (`bench/rows/serve.ts`).
 */
export function follow(fanOut: FanOut, watch: Watch, deliver: Deliver): Promise<void> {
  return new Promise((resolve, reject) => {
    new Following(fanOut.watch(watch), watch.signal, deliver, resolve, reject).deliverAll()
  })
}

class Following {
  readonly #viewer: Viewer
  readonly #signal: AbortSignal
  readonly #deliver: Deliver
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void

  constructor(
    viewer: Viewer,
    signal: AbortSignal,
    deliver: Deliver,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#viewer = viewer
    this.#signal = signal
    this.#deliver = deliver
    this.#resolve = resolve
    this.#reject = reject
  }

  readonly deliverAll = (): void => {
    try {
      while (!this.#signal.aborted) {
        const batch = this.#viewer.take()
        if (batch === undefined) {
          if (this.#viewer.isOver()) break
          this.#viewer.wait(this.deliverAll)
          return
        }
        const delivery = this.#deliver(batch)
        if (delivery === undefined) continue
        delivery.then((answer) => this.#goOn(answer)).catch((error: unknown) => this.#fail(error))
        return
      }
      this.#end()
    } catch (error) {
      this.#fail(error)
    }
  }

  #goOn(answer: unknown): void {
    if (answer === ENOUGH) this.#end()
    else this.deliverAll()
  }

  #end(): void {
    this.#viewer.leave()
    this.#resolve()
  }

  #fail(error: unknown): void {
    this.#viewer.leave()
    this.#reject(error)
  }
}
