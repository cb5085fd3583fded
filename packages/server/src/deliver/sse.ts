import { getFormat } from '@millrace/core/format'
import { sseTerminator } from '@millrace/core/format/sse-frames'
import { ENOUGH, type FanOut, follow, type Watch } from './fan-out.ts'
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
  try {
    await follow(fanOut, { ...watch, signal: sink.closed }, (piece) => {
      const end = endsAt === undefined ? -1 : piece.placed.findIndex(endsAt)
      if (end === -1) return pacer.send(piece.sse())
      pacer.send(pick(piece, (_, at) => at <= end).sse())
      return Promise.resolve(ENOUGH)
    })
    if (terminator !== undefined) await pacer.send(encoder.encode(sseTerminator(terminator)))
    if (!sink.closed.aborted) sink.end()
  } catch {
    // The head is out: all that is left to say is that this is not the end.
    sink.cut()
  } finally {
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
