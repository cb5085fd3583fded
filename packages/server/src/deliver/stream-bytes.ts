import { createPacer } from './pacer.ts'
import type { Sink } from './sink.ts'
import type { Timing } from './timing.ts'

/** Streams what is stored already. Rejects, with the end unsent, if it cannot be opened or read to its end. */
export async function streamBytes(
  sink: Sink,
  timing: Timing,
  headers: { readonly [name: string]: string },
  stored: AsyncIterable<Uint8Array>,
): Promise<void> {
  sink.open({ status: 200, headers })
  // There is no silence in what is stored: nothing to keep alive.
  const pacer = createPacer(sink, timing, () => true)
  try {
    for await (const bytes of stored) {
      await pacer.send(bytes)
      if (sink.closed.aborted) return
    }
    sink.end()
  } finally {
    pacer.stop()
  }
}
