import type { StoppedConversation } from '@millrace/core/api'
import { chatShape } from '../chat/chat-request.ts'
import { lastResponse, liveResponse, responseTo } from '../chat/conversation.ts'
import { stopChat, stopShape } from '../chat/stop-chat.ts'
import { conversationStream, lastOf, partAfter, startedResponse } from '../conversation-stream.ts'
import { checked, readJson } from '../request.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { idShape } from '../shapes.ts'
import { checkProfile, hasMore } from './streams.ts'

async function post(context: Context, services: Services): Promise<Response> {
  const stream = conversationStream(context, services)
  const profile = profileOf(context)
  const request = await readJson(context, services.limits, chatShape)
  return startedResponse(services, request.id, stream, () => responseTo(services, request, profile))
}

/**
 * The live message of a chat, from its first chunk; 204 if no run is live. With a cursor, what follows it in the last run of
 * the chat, live or not; 204 if nothing does.
 */
async function reconnect(context: Context, services: Services): Promise<Response> {
  const { after, respond } = conversationStream(context, services)
  const profile = profileOf(context)
  const chatId = context.req.param('id') ?? ''
  const live = await liveResponse(services, chatId, profile)
  if (after === undefined) return live === undefined ? context.body(null, 204) : respond(live)
  const part = live === undefined ? await lastResponse(services, chatId, profile) : lastOf(live)
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

/** A client keeps the query of the address that it was given, also when it comes back. */
function profileOf(context: Context): string | undefined {
  const profile = context.req.query('profile')
  checkProfile('ai-sdk', profile)
  return profile
}

export const chatRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/chat', policy: 'token', handle: post },
  { method: 'GET', path: '/api/chat/:id/stream', policy: 'token', handle: reconnect },
  { method: 'POST', path: '/api/chat/:id/stop', policy: 'token', handle: stop },
]
