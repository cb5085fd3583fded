import { RUN_STATE_EVENT } from '@millrace/core/api'
import { getWire, sseTerminator, type Wire } from '@millrace/core/wire'
import type { ChunkBatch } from './chunk-batch.ts'
import { type FanOut, throwUnlessOfLog } from './fan-out.ts'
import type { Failure } from './follow.ts'
import { followPartsTo, type PartsReceiver, type ResponsePart, type ResponseParts } from './follow-parts.ts'
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
const PING = encoder.encode(': ping\n\n')

/** A sign of life that clients skip. */
export const ping = (sink: Pick<Sink, 'write'>): boolean => sink.write(PING)

/**
 * Streams runs to one viewer as server-sent events, until they end or the viewer is gone. The log is read on only when the
 * viewer has taken what it was sent, so nothing is queued for it. Rejects, after a cut, with an error of the wire.
 */
export function streamParts(options: StreamParts): Promise<void> {
  return new Promise((resolve) => new SseStream(options, resolve).begin(options))
}

/** One object instead of a function that waits: thousands of idle viewers hold one each (`bench/rows/serve.ts`). */
class SseStream implements PartsReceiver {
  readonly #wire: Wire
  readonly #sink: Sink
  readonly #pacer: Pacer
  readonly #resolve: (end: Promise<void>) => void
  #stopStatus: (() => void) | undefined
  #fault: Failure | undefined

  constructor({ parts, sink, timing = defaultTiming, headers }: StreamParts, resolve: (end: Promise<void>) => void) {
    this.#wire = getWire(parts[0].wire)
    this.#sink = sink
    this.#resolve = resolve
    sink.open({ status: 200, headers: { ...headers, ...sseHeaders, ...this.#wire.headers } })
    this.#pacer = new Pacer(sink, timing, ping)
  }

  begin({ fanOut, parts, status }: StreamParts): void {
    if (status !== undefined) this.#follow(status)
    followPartsTo(fanOut, parts, this.#sink.closed, this)
  }

  #follow(status: WatchedStatus): void {
    const fail = (error: unknown) => {
      this.#fault = { error }
      this.#sink.cut()
    }
    this.#stopStatus = followStatus(status, (text) => this.#pacer.send(statusFrame(text)), fail)
  }

  deliver(batch: ChunkBatch, isOfLast: boolean): Promise<void> | undefined {
    return this.#pacer.send(this.#bytesOf(batch, isOfLast))
  }

  /** A cursor means the last run: a viewer that is cut before it has come so far has none, and gets all of it again. */
  #bytesOf(batch: ChunkBatch, isOfLast: boolean): Uint8Array {
    if (!isOfLast) return batch.sseWithoutCursors()
    return this.#wire.hasCursorsFirst ? batch.sseCursorsFirst() : batch.sse()
  }

  end(failure?: Failure): void {
    this.#resolve(this.#end(failure ?? this.#fault))
  }

  async #end(failure: Failure | undefined): Promise<void> {
    const { terminator } = this.#wire
    try {
      if (failure !== undefined) throw failure.error
      if (terminator !== undefined) await this.#pacer.send(encoder.encode(sseTerminator(terminator)))
      if (!this.#sink.closed.aborted) this.#sink.end()
    } catch (error) {
      // The head has been sent: cutting is the only way left to say that this is not the end.
      this.#sink.cut()
      throwUnlessOfLog(error)
    } finally {
      this.#stopStatus?.()
      this.#pacer.stop()
    }
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
