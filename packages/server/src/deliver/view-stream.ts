import { throwUnlessOfLog } from './fan-out.ts'
import { Pacer, type Timing } from './pacer.ts'
import type { SharedLooks, Sight } from './shared-looks.ts'
import type { Sink } from './sink.ts'
import { ping, sseHeaders } from './sse.ts'

export interface StreamSight<View extends object> {
  readonly looks: SharedLooks
  readonly sight: Sight<View>
  readonly sink: Sink
  readonly timing: Timing
  /** Sent beside those that the stream itself needs. */
  readonly headers: { readonly [name: string]: string }
}

/**
 * Streams what changes to one viewer, until nothing can follow or the viewer is gone. The events have no ids: a viewer
 * that returns gets everything again. A viewer that does not read gets the newest state once it reads on.
 */
export async function streamSight<View extends object>(stream: StreamSight<View>): Promise<void> {
  const { looks, sight, sink, timing, headers } = stream
  sink.open({ status: 200, headers: { ...headers, ...sseHeaders } })
  const pacer = new Pacer(sink, timing, ping)
  const viewer = looks.watch(sight, sink.closed)
  try {
    for (let events = await viewer.next(); events !== undefined; events = await viewer.next()) await pacer.send(events)
    if (!sink.closed.aborted) sink.end()
  } catch (error) {
    // The head has been sent: cutting is the only way left to say that this is not the end.
    sink.cut()
    throwUnlessOfLog(error)
  } finally {
    viewer.leave()
    pacer.stop()
  }
}
