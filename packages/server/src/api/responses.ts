import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { getWire } from '@millrace/core/wire'
import type { ResponsePart, ResponseParts } from '../deliver/follow-parts.ts'
import { createNodeSink } from '../deliver/node-sink.ts'
import { Pacer, type Timing } from '../deliver/pacer.ts'
import { cutAt, type Sink } from '../deliver/sink.ts'
import { sseHeaders, streamParts } from '../deliver/sse.ts'
import { createWebSink } from '../deliver/web-sink.ts'
import type { Log } from '../log/log.ts'
import { apiHeaders } from './headers.ts'
import { type MessageRun, pausesOf, type Resumption, type WireChoice } from './pauses.ts'
import type { Context, Services } from './services.ts'

/** A JSON response of a type that the client knows. */
export function json<Body extends object>(context: Context, body: Body, status: 200 | 201 | 503 = 200): Response {
  return context.json(body, status)
}

/**
 * Runs `stream` with a sink to the client: Node's own response if Node serves, else the web's `Response`. The stream goes on
 * after this function has returned. It is cut when the server stops. If `stream` rejects, the error is reported and the
 * client is cut.
 */
export function respondWith(
  context: Context,
  { shutdown, report, requests }: Services,
  stream: (sink: Sink) => Promise<void>,
): Response | Promise<Response> {
  const start = (sink: Sink) => {
    cutAt(shutdown, sink)
    stream(sink).catch((error: unknown) => {
      report(error)
      sink.cut()
    })
  }
  requests.note(context, { isStream: true })
  const { outgoing } = context.env ?? {}
  if (outgoing !== undefined) {
    start(createNodeSink(outgoing))
    // A copy, because headers are set on it; it must not be of a class that a host of the same kind has put in place.
    return RESPONSE_ALREADY_SENT.clone()
  }
  const sink = createWebSink(context.req.raw.signal)
  requests.endWith(context, sink.closed)
  start(sink)
  return sink.response
}

/** Streams stored bytes. Rejects, without having sent the end, if they cannot be read to their end. */
export async function streamBytes(
  sink: Sink,
  timing: Timing,
  headers: { readonly [name: string]: string },
  stored: AsyncIterable<Uint8Array>,
): Promise<void> {
  sink.open({ status: 200, headers })
  // Stored bytes have no pauses, so no sign of life is needed.
  const pacer = new Pacer(sink, timing, () => true)
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

/** The parts as one response of server-sent events. */
export function streamResponse(
  context: Context,
  services: Services,
  parts: ResponseParts,
): Response | Promise<Response> {
  const { fanOut, timing, requests } = services
  requests.note(context, { run: parts[0].runId, thread: parts[0].threadId })
  if (context.req.method === 'HEAD') return headOfStream(context, parts[0].wire)
  return respondWith(context, services, (sink) => streamParts({ fanOut, parts, sink, timing, headers: apiHeaders }))
}

/** The answer to HEAD: a stream's headers. It does not wait for the end of the stream. */
export const headOfStream = (context: Context, wire: string): Response =>
  context.body(null, 200, { ...sseHeaders, ...getWire(wire).headers })

/** A run from its first chunk, through the pauses that are over, up to the pause that it is in or comes to. */
export async function replayPart(log: Log, messageRun: MessageRun, choice: WireChoice): Promise<ResponsePart> {
  const { seq, current } = await pausesOf(log, messageRun, choice)
  return { ...wholePart(messageRun, choice), endsAt: pauseFrom(current?.seq ?? seq + 1, choice) }
}

/** What follows a question, up to the next pause behind its answer. */
export function resumedPart(messageRun: MessageRun, choice: WireChoice, resumption: Resumption): ResponsePart {
  const { after, first, awaits } = resumption
  return { ...wholePart(messageRun, choice), endsAt: pauseFrom(first, choice, awaits), after }
}

/** The pauses that are not before this entry, nor before the answers to these approvals. */
function pauseFrom(
  first: number,
  { wire }: WireChoice,
  awaits: ReadonlySet<string> = new Set(),
): NonNullable<ResponsePart['endsAt']> {
  const { isPause } = getWire(wire)
  const unanswered = new Set(awaits)
  return ({ chunk, entry }) => {
    const { event } = entry
    if (event.type === 'approval' && event.state !== 'requested') unanswered.delete(event.approvalId)
    return unanswered.size === 0 && entry.seq >= first && isPause?.(chunk, entry) === true
  }
}

/** A run that has ended, from its first chunk to its last. */
export function wholePart({ run, messageId }: MessageRun, { wire, profile }: WireChoice): ResponsePart {
  const options = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
  return { runId: run.id, threadId: run.threadId, wire, ...options }
}
