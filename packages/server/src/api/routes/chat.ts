import { chatShape } from '../chat/chat-request.ts'
import { liveResponse, responseTo } from '../chat/conversation.ts'
import { readJson } from '../request.ts'
import { streamResponse } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { profileOf } from './streams.ts'

async function post(context: Context, services: Services): Promise<Response> {
  return streamResponse(
    context,
    services,
    await responseTo(services, await readJson(context, services.limits, chatShape), profileOf(context, 'ai-sdk')),
  )
}

/** The live message of a chat, from its first chunk; 204 if no run is live. */
async function reconnect(context: Context, services: Services): Promise<Response> {
  const parts = await liveResponse(services, context.req.param('id') ?? '', profileOf(context, 'ai-sdk'))
  return parts === undefined ? context.body(null, 204) : streamResponse(context, services, parts)
}

export const chatRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/chat', policy: 'token', handle: post },
  { method: 'GET', path: '/api/chat/:id/stream', policy: 'token', handle: reconnect },
]
