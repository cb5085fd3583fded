import { z } from 'zod'
import { type Cursor, follows } from '../deliver/cursor.ts'
import type { ResponsePart, ResponseParts } from '../deliver/follow-parts.ts'
import { checked, readQuery } from './request.ts'
import { streamResponse } from './responses.ts'
import type { Context, Services } from './services.ts'
import { cursorShape } from './shapes.ts'

const queryShape = z.object({ leaving: z.enum(['stops']).optional() })

/** How a client of a conversation wants its response. */
export interface ConversationStream {
  /** The client has everything up to here of the run that it asks for again. */
  readonly after?: Cursor
  /** Streams the parts. With `?leaving=stops` the last run is stopped when the conversation has lost all its viewers. */
  respond(parts: ResponseParts): Response | Promise<Response>
}

/** What the query and the headers of a request say about its response. Throws 400 if they are not understood. */
export function conversationStream(context: Context, services: Services): ConversationStream {
  const { leaving } = readQuery(context, queryShape)
  const lastEventId = context.req.header('last-event-id') ?? ''
  return {
    ...(lastEventId !== '' && { after: checked(lastEventId, cursorShape) }),
    respond(parts) {
      const { threadId, runId } = lastOf(parts)
      if (leaving === 'stops') services.leaving.stops(threadId, runId)
      return streamResponse(context, services, parts)
    },
  }
}

/**
 * The response to a request that may start a run. A request that is repeated with a cursor gets what follows it; a run that
 * the request starts has no cursor yet, whatever the client has read before.
 */
export async function startedResponse(
  { log, starts }: Services,
  threadId: string,
  { after, respond }: ConversationStream,
  start: () => Promise<ResponseParts>,
): Promise<Response> {
  const before = after === undefined ? [] : await log.runs(threadId)
  const parts = await starts.during(threadId, start, (begun) => lastOf(begun).runId)
  const last = lastOf(parts)
  const isRepeated = after !== undefined && before.some(({ id, seq }) => id === last.runId && seq >= after.seq)
  return respond(isRepeated ? [partAfter(last, after)] : parts)
}

export const lastOf = (parts: ResponseParts): ResponsePart => parts.at(-1) ?? parts[0]

/** What follows the cursor in a part, which may itself begin later. */
export function partAfter(part: ResponsePart, cursor: Cursor): ResponsePart {
  const { after } = part
  const isLater = after === undefined || !follows(cursor, after.seq, after.index ?? Number.POSITIVE_INFINITY)
  return isLater ? { ...part, after: cursor } : part
}
