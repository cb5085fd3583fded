import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createNodeSink } from '../deliver/node-sink.ts'
import type { Sink } from '../deliver/sink.ts'
import { createWebSink } from '../deliver/web-sink.ts'
import type { Context, Services } from './services.ts'

/**
 * Lets `stream` write to the client, by Node's own response where Node serves and by the web's elsewhere. It goes on
 * after the response was given back; when the server stops, it is cut. If `stream` rejects, the error is reported and the
 * client is cut.
 */
export function respondWith(
  context: Context,
  { shutdown, report }: Services,
  stream: (sink: Sink) => Promise<void>,
): Response | Promise<Response> {
  const start = (sink: Sink) => {
    shutdown.addEventListener('abort', () => sink.cut(), { once: true, signal: sink.closed })
    stream(sink).catch((error: unknown) => {
      report(error)
      sink.cut()
    })
  }
  const { outgoing } = context.env ?? {}
  if (outgoing !== undefined) {
    start(createNodeSink(outgoing))
    // A copy, for headers are set on it; and never of the class that a host of the same kind may have put in place.
    return RESPONSE_ALREADY_SENT.clone()
  }
  const sink = createWebSink(context.req.raw.signal)
  start(sink)
  return sink.response
}
