import type { Sink } from './sink.ts'
import type { Timing } from './timing.ts'

/** Keeps a connection alive in silence, and lets nothing pile up for a viewer that does not read. */
export interface Pacer {
  /** Writes, then waits until the viewer keeps up or is gone. */
  send(bytes: Uint8Array): Promise<void>
  stop(): void
}

/** `beat` gives the sign of life; like a write, it says whether the viewer keeps up. */
export function createPacer(sink: Sink, timing: Timing, beat: () => boolean): Pacer {
  let cancelBeat = () => {}
  const stop = () => cancelBeat()
  sink.closed.addEventListener('abort', stop, { once: true })

  async function pace(write: () => boolean): Promise<void> {
    cancelBeat()
    if (sink.closed.aborted) return
    if (!write()) await keepUp()
    rest()
  }

  async function keepUp(): Promise<void> {
    const cancelCut = timing.delay(timing.stallAfter, () => sink.cut())
    await sink.drained()
    cancelCut()
  }

  function rest(): void {
    cancelBeat()
    if (!sink.closed.aborted) cancelBeat = timing.delay(timing.heartbeat, () => void pace(beat))
  }

  rest()
  return { send: (bytes) => pace(() => sink.write(bytes)), stop }
}
