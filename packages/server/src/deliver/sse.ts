import { getFormat } from '@millrace/core/format'
import { sseTerminator } from '@millrace/core/format/sse-frames'
import type { FanOut, Watch } from './fan-out.ts'
import { createPacer } from './pacer.ts'
import { type Placed, pick } from './piece.ts'
import type { Sink } from './sink.ts'
import { defaultTiming, type Timing } from './timing.ts'

export interface StreamRun extends Omit<Watch, 'signal'> {
  readonly fanOut: FanOut
  readonly sink: Sink
  readonly timing?: Timing
  /** Sent beside those that the stream itself needs. */
  readonly headers?: { readonly [name: string]: string }
  /** Whether the response ends behind this chunk, though the run goes on. */
  readonly endsAt?: (placed: Placed) => boolean
}

const encoder = new TextEncoder()
const PING = encoder.encode(': ping\n\n')

/**
 * Streams a run to one viewer as server-sent events, until the run ends or the viewer is gone. The log is asked for more
 * only when the viewer has taken what it was given, so nothing is queued for it.
 */
export async function streamRun(options: StreamRun): Promise<void> {
  const { fanOut, sink, timing = defaultTiming, headers = {}, endsAt, ...watch } = options
  const { terminator, headers: ofWire } = getFormat(watch.wire)
  sink.open({ status: 200, headers: { ...headers, ...sseHeaders, ...ofWire } })
  const pacer = createPacer(sink, timing, () => sink.write(PING))
  const viewer = fanOut.watch({ ...watch, signal: sink.closed })
  try {
    while (!sink.closed.aborted) {
      const piece = viewer.take()
      if (piece === undefined) {
        if (viewer.isOver()) break
        await viewer.wait()
        continue
      }
      const end = endsAt === undefined ? -1 : piece.placed.findIndex(endsAt)
      const full = pacer.send((end === -1 ? piece : pick(piece, (_, at) => at <= end)).sse())
      if (full !== undefined) await full
      if (end !== -1) break
    }
    if (terminator !== undefined) await pacer.send(encoder.encode(sseTerminator(terminator)))
    if (!sink.closed.aborted) sink.end()
  } catch {
    // The head is out: all that is left to say is that this is not the end.
    sink.cut()
  } finally {
    viewer.leave()
    pacer.stop()
  }
}

/** What keeps proxies from holding back, compressing or storing the stream. */
export const sseHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
} as const
