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
export interface Pacer {
  /** Writes. If the viewer does not keep up, returns a promise that resolves when it does or is gone. */
  send(bytes: Uint8Array): Promise<void> | undefined
  /** MUST be called when the stream or the client has ended. */
  stop(): void
}

/** `beat` sends the sign of life; like a write, it returns whether the viewer keeps up. */
export function createPacer(sink: Sink, timing: Timing, beat: () => boolean): Pacer {
  // A timer for each write would cost more than the write (`bench/rows/serve.ts`): one timer looks twice as often instead.
  const period = timing.heartbeat / 2
  let isSilent = true
  let isStanding = false
  let cancel = timing.delay(period, look)

  function look(): void {
    if (isSilent && !isStanding && !beat()) void keepUp()
    isSilent = true
    if (!sink.closed.aborted) cancel = timing.delay(period, look)
  }

  async function keepUp(): Promise<void> {
    isStanding = true
    const cancelCut = timing.delay(timing.stallAfter, () => sink.cut())
    await sink.drained()
    cancelCut()
    isStanding = false
  }

  return {
    send(bytes) {
      isSilent = false
      return sink.closed.aborted || sink.write(bytes) ? undefined : keepUp()
    },
    stop: () => cancel(),
  }
}
