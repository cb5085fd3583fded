import type { StoppedConversation } from '@millrace/core/api'
import { z } from 'zod'
import { chatIn } from '../chat/answer.ts'
import { chatShape } from '../chat/chat-request.ts'
import { lastResponse, lastRunPart, liveResponse, responseTo } from '../chat/conversation.ts'
import { stopChat, stopShape } from '../chat/stop-chat.ts'
import { conversationStream, lastOf, partAfter, startedResponse } from '../conversation-stream.ts'
import { loadThread } from '../history.ts'
import { checked, readJson, readQuery } from '../request.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape, idShape } from '../shapes.ts'
import { hasMore, profileOf } from './streams.ts'

async function post(context: Context, services: Services): Promise<Response> {
  const stream = conversationStream(context, services)
  const profile = profileOf(context, 'ai-sdk')
  const request = await readJson(context, services.limits, chatShape)
  return startedResponse(services, request.id, stream, () => responseTo(services, request, profile))
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
  const choice = chatIn(profileOf(context, 'ai-sdk'))
  const page = { limit, hasLive: hasLive !== undefined, ...(before !== undefined && { before }) }
  const { messages, live, next } = await loadThread(log, context.req.param('id') ?? '', choice, page)
  return json(context, { messages, resume: live !== undefined, ...(next !== undefined && { next }) })
}

const replayShape = z.object({ replay: z.literal('last').optional() })

/**
 * The live message of a chat, from its first chunk; 204 if no run is live, unless the last message is asked for. With a
 * cursor, what follows it in the last run of the chat, live or not; 204 if nothing does.
 */
async function reconnect(context: Context, services: Services): Promise<Response> {
  const { after, respond } = conversationStream(context, services)
  const profile = profileOf(context, 'ai-sdk')
  const chatId = context.req.param('id') ?? ''
  const { replay } = readQuery(context, replayShape)
  const isReplay = replay !== undefined && after === undefined
  const live = await (isReplay ? lastResponse : liveResponse)(services, chatId, profile)
  if (after === undefined) return live === undefined ? context.body(null, 204) : respond(live)
  const part = live === undefined ? await lastRunPart(services, chatId, profile) : lastOf(live)
  const rest = part && partAfter(part, after)
  const isOver = rest === undefined || (live === undefined && !(await hasMore(services.fanOut, rest)))
  return isOver ? context.body(null, 204) : respond([rest])
}

/** Stops what the chat has live. */
async function stop(context: Context, services: Services): Promise<Response> {
  const asked = await readJson(context, services.limits, stopShape)
  const threadId = checked(context.req.param('id'), idShape)
  return json<StoppedConversation>(context, await stopChat(services, threadId, asked))
}

export const chatRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/chat', policy: 'token', handle: post },
  { method: 'GET', path: '/api/chat/:id', policy: 'token', handle: load },
  { method: 'GET', path: '/api/chat/:id/stream', policy: 'token', handle: reconnect },
  { method: 'POST', path: '/api/chat/:id/stop', policy: 'token', handle: stop },
]
