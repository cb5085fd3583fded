import type { Part, Parts } from '../deliver/follow-parts.ts'
import { streamParts } from '../deliver/sse.ts'
import type { Log } from '../log/log.ts'
import { apiHeaders } from './headers.ts'
import { respondWith } from './open-sink.ts'
import { type Pausing, pausesOf, type Resumption, type Spoken } from './pauses.ts'
import type { Context, Services } from './services.ts'

/** Responses of a wire on which a run that waits for a person has ended its response, and goes on in the next. */

/** From the first chunk, through pauses that are over, up to the one that the run is in or comes to. */
export async function replayed(log: Log, spoken: Spoken, pausing: Pausing): Promise<Part> {
  const { seq, current } = await pausesOf(log, spoken, pausing)
  return { ...partOf(spoken, pausing), endsAt: pauseFrom(current?.seq ?? seq + 1, pausing) }
}

/** What follows a question, up to the next pause behind its answer. */
export function goneOn(spoken: Spoken, pausing: Pausing, { after, first }: Resumption): Part {
  return { ...partOf(spoken, pausing), endsAt: pauseFrom(first, pausing), after }
}

/** The first pause that is not before this entry. */
function pauseFrom(first: number, { isPause }: Pausing): NonNullable<Part['endsAt']> {
  return (placed) => placed.entry.seq >= first && isPause(placed)
}

/** Everything: the run has ended. */
export function partOf({ run, messageId }: Spoken, { wire, profile }: Pausing): Part {
  const dialect = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
  return { runId: run.id, threadId: run.threadId, wire, ...dialect }
}

/** A JSON response of a type that clients know. */
export function json<Body extends object>(context: Context, body: Body, status: 200 | 201 | 503 = 200): Response {
  return context.json(body, status)
}

/** The parts as one response of server-sent events. */
export function respond(context: Context, services: Services, parts: Parts): Response | Promise<Response> {
  const { fanOut, timing } = services
  return respondWith(context, services, (sink) => streamParts({ fanOut, parts, sink, timing, headers: apiHeaders }))
}
