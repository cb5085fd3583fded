import { z } from 'zod'
import { chatIn } from '../chat/answer.ts'
import { chatShape } from '../chat/chat-request.ts'
import { lastResponse, liveResponse, responseTo } from '../chat/conversation.ts'
import { loadThread } from '../history.ts'
import { readJson, readQuery } from '../request.ts'
import { json, streamResponse } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape, idShape } from '../shapes.ts'
import { checkProfile } from './streams.ts'

async function post(context: Context, services: Services): Promise<Response> {
  return streamResponse(
    context,
    services,
    await responseTo(services, await readJson(context, services.limits, chatShape), profileOf(context)),
  )
}

/** The most runs that are loaded at once. */
const MOST_RUNS = 200

const loadShape = z.object({
  live: z.literal('1').optional(),
  before: idShape.optional(),
  limit: countShape(MOST_RUNS).default(MOST_RUNS),
})

/** The messages of a chat as its client holds them. A chat that nobody has written in yet has none. */
async function load(context: Context, { log }: Services): Promise<Response> {
  const { live: hasLive, before, limit } = readQuery(context, loadShape)
  const choice = chatIn(profileOf(context))
  const page = { limit, hasLive: hasLive !== undefined, ...(before !== undefined && { before }) }
  const { messages, live, next } = await loadThread(log, context.req.param('id') ?? '', choice, page)
  return json(context, { messages, resume: live !== undefined, ...(next !== undefined && { next }) })
}

const replayShape = z.object({ replay: z.literal('last').optional() })

/** The live message of a chat, from its first chunk; 204 if no run is live, unless the last message is asked for. */
async function reconnect(context: Context, services: Services): Promise<Response> {
  const { replay } = readQuery(context, replayShape)
  const responseOf = replay === undefined ? liveResponse : lastResponse
  const parts = await responseOf(services, context.req.param('id') ?? '', profileOf(context))
  return parts === undefined ? context.body(null, 204) : streamResponse(context, services, parts)
}

/** A client keeps the query of the address that it was given, also when it comes back. */
function profileOf(context: Context): string | undefined {
  const profile = context.req.query('profile')
  checkProfile('ai-sdk', profile)
  return profile
}

export const chatRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/chat', policy: 'token', handle: post },
  { method: 'GET', path: '/api/chat/:id', policy: 'token', handle: load },
  { method: 'GET', path: '/api/chat/:id/stream', policy: 'token', handle: reconnect },
]
