import { getFormat } from '@millrace/core/format'
import { sseFrame, sseTerminator } from '@millrace/core/format/sse-frames'
import { type Placed, type ReadChunks, readChunks } from './chunks.ts'
import { createPacer, type Pacer } from './pacer.ts'
import type { Sink } from './sink.ts'
import { defaultTiming, type Timing } from './timing.ts'

export interface StreamRun extends Omit<ReadChunks, 'live' | 'signal'> {
  readonly sink: Sink
  readonly timing?: Timing
  /** Sent beside those that the stream itself needs. */
  readonly headers?: { readonly [name: string]: string }
  /** Whether the response ends behind this chunk, though the run goes on. */
  readonly endsAt?: (placed: Placed) => boolean
}

const encoder = new TextEncoder()
const PING = encoder.encode(': ping\n\n')

/** About how much is encoded and written at once, in UTF-16 units: what a viewer that stands still can cost. */
const PIECE = 32 * 1024

/**
 * Streams a run to one viewer as server-sent events, until the run ends or the viewer is gone. The log is asked for more
 * only when the viewer has taken what it was given, so nothing is queued for it.
 */
export async function streamRun(options: StreamRun): Promise<void> {
  const { sink, wire, timing = defaultTiming, headers = {}, endsAt = () => false, ...read } = options
  const { terminator, headers: ofWire } = getFormat(wire)
  sink.open({ status: 200, headers: { ...headers, ...sseHeaders, ...ofWire } })
  const pacer = createPacer(sink, timing, () => sink.write(PING))
  try {
    for await (const placed of readChunks({ ...read, wire, live: true, signal: sink.closed })) {
      const end = placed.findIndex(endsAt)
      await sendFrames(end === -1 ? placed : placed.slice(0, end + 1), pacer)
      if (end !== -1 || sink.closed.aborted) break
    }
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

/** One encode and one write per batch; a batch that is large leaves in pieces. */
async function sendFrames(placed: readonly Placed[], pacer: Pacer): Promise<void> {
  let text = ''
  for (const { chunk, cursor } of placed) {
    text += sseFrame(chunk, cursor)
    if (text.length < PIECE) continue
    await pacer.send(encoder.encode(text))
    text = ''
  }
  if (text !== '') await pacer.send(encoder.encode(text))
}
