import { RUN_STATE_EVENT } from '@millrace/core/api'
import { getWire, sseTerminator } from '@millrace/core/wire'
import type { ChunkBatch } from './chunk-batch.ts'
import { type FanOut, throwUnlessOfLog } from './fan-out.ts'
import { followParts, type ResponsePart, type ResponseParts } from './follow-parts.ts'
import { defaultTiming, Pacer, type Timing } from './pacer.ts'
import type { Sink } from './sink.ts'
import { followStatus, type WatchedStatus } from './status-frames.ts'

export interface StreamParts {
  readonly fanOut: FanOut
  readonly parts: ResponseParts
  readonly sink: Sink
  readonly timing?: Timing
  /** Sent beside those that the stream itself needs. */
  readonly headers?: { readonly [name: string]: string }
  /** Sent beside the chunks, in frames without an id. */
  readonly status?: WatchedStatus
}

/** One run, or what follows a cursor in it. */
export type StreamRun = Omit<StreamParts, 'parts'> & ResponsePart

const encoder = new TextEncoder()
export const PING = encoder.encode(': ping\n\n')

/**
 * Streams runs to one viewer as server-sent events, until they end or the viewer is gone. The log is read on only when the
 * viewer has taken what it was sent, so nothing is queued for it. Rejects, after a cut, with an error of the wire.
 */
export async function streamParts({ fanOut, parts, sink, timing = defaultTiming, headers = {}, status }: StreamParts) {
  const { terminator, headers: ofWire } = getWire(parts[0].wire)
  sink.open({ status: 200, headers: { ...headers, ...sseHeaders, ...ofWire } })
  const pacer = new Pacer(sink, timing, () => sink.write(PING))
  let fault: { readonly error: unknown } | undefined
  const fail = (error: unknown) => {
    fault = { error }
    sink.cut()
  }
  const stopStatus = status && followStatus(status, (text) => pacer.send(statusFrame(text)), fail)
  try {
    // A cursor means the last run: a viewer that is cut before it has come so far has none, and gets all of it again.
    const bytesOf = (batch: ChunkBatch, isOfLast: boolean) => (isOfLast ? batch.sse() : batch.sseWithoutCursors())
    await followParts(fanOut, parts, sink.closed, (batch, isOfLast) => pacer.send(bytesOf(batch, isOfLast)))
    if (fault !== undefined) throw fault.error
    if (terminator !== undefined) await pacer.send(encoder.encode(sseTerminator(terminator)))
    if (!sink.closed.aborted) sink.end()
  } catch (error) {
    // The head has been sent: cutting is the only way left to say that this is not the end.
    sink.cut()
    throwUnlessOfLog(error)
  } finally {
    stopStatus?.()
    pacer.stop()
  }
}

export function streamRun({ fanOut, sink, timing, headers, status, ...part }: StreamRun): Promise<void> {
  const how = { ...(timing !== undefined && { timing }), ...(headers !== undefined && { headers }) }
  return streamParts({ fanOut, parts: [part], sink, ...how, ...(status !== undefined && { status }) })
}

const statusFrame = (text: string) => encoder.encode(`event: ${RUN_STATE_EVENT}\ndata: ${text}\n\n`)

/** Keeps proxies from buffering, compressing or storing the stream, and browsers from caching it. */
export const sseHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'private, no-store, no-transform',
  'x-accel-buffering': 'no',
} as const
