import type { Sink } from './sink.ts'

/** How long viewers are waited for. Tests pass their own `delay`. */
export interface Timing {
  /** A sign of life is sent after so many milliseconds of silence. */
  readonly heartbeat: number
  /** A viewer that has taken nothing for so many milliseconds is cut; it can return with its cursor. */
  readonly stallAfter: number
  /** Calls `act` once, after so many milliseconds. The returned function prevents that. */
  delay(ms: number, act: () => void): () => void
}

export const defaultTiming: Timing = {
  heartbeat: 15_000,
  stallAfter: 30_000,
  delay(ms, act) {
    const timer = setTimeout(act, ms)
    // A silent viewer does not keep the process running.
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Keeps a silent connection alive, and queues nothing for a viewer that does not read. */
export class Pacer {
  readonly #sink: Sink
  readonly #timing: Timing
  readonly #beat: (sink: Sink) => boolean
  #isSilent = true
  #isStanding = false
  #cancel: () => void

  /** `beat` sends the sign of life; like a write, it returns whether the viewer keeps up. */
  constructor(sink: Sink, timing: Timing, beat: (sink: Sink) => boolean) {
    this.#sink = sink
    this.#timing = timing
    this.#beat = beat
    this.#cancel = this.#lookLater()
  }

  /** Writes. If the viewer does not keep up, returns a promise that resolves when it does or is gone. */
  send(bytes: Uint8Array): Promise<void> | undefined {
    this.#isSilent = false
    return this.#sink.closed.aborted || this.#sink.write(bytes) ? undefined : this.#keepUp()
  }

  /** MUST be called when the stream or the client has ended. */
  stop(): void {
    this.#cancel()
  }

  /** A timer for each write would cost more than the write (`bench/rows/serve.ts`): one timer looks twice as often instead. */
  #lookLater(): () => void {
    return this.#timing.delay(this.#timing.heartbeat / 2, () => this.#look())
  }

  #look(): void {
    if (this.#isSilent && !this.#isStanding && !this.#beat(this.#sink)) void this.#keepUp()
    this.#isSilent = true
    if (!this.#sink.closed.aborted) this.#cancel = this.#lookLater()
  }

  async #keepUp(): Promise<void> {
    this.#isStanding = true
    const cancelCut = this.#timing.delay(this.#timing.stallAfter, () => this.#sink.cut())
    await this.#sink.drained()
    cancelCut()
    this.#isStanding = false
  }
}
