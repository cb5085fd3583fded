import type { Sink } from './sink.ts'
import type { Timing } from './timing.ts'

/** Keeps a connection alive in silence, and lets nothing pile up for a viewer that does not read. */
export interface Pacer {
  /** Writes. Where the viewer does not keep up, gives what to wait for: that it does, or is gone. */
  send(bytes: Uint8Array): Promise<void> | undefined
  /** MUST be called at the end, the client's or ours. */
  stop(): void
}

/** `beat` gives the sign of life; like a write, it says whether the viewer keeps up. */
export function createPacer(sink: Sink, timing: Timing, beat: () => boolean): Pacer {
  // A timer for each write would cost more than the write (`bench/rows/serve.ts`): one looks twice as often instead.
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
