import { chatShape } from '../chat/chat-request.ts'
import { liveResponse, responseTo } from '../chat/conversation.ts'
import { readJson } from '../request.ts'
import { streamResponse } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { checkProfile } from './streams.ts'

async function post(context: Context, services: Services): Promise<Response> {
  return streamResponse(
    context,
    services,
    await responseTo(services, await readJson(context, services.limits, chatShape), profileOf(context)),
  )
}

/** The live message of a chat, from its first chunk; 204 if no run is live. */
async function reconnect(context: Context, services: Services): Promise<Response> {
  const parts = await liveResponse(services, context.req.param('id') ?? '', profileOf(context))
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
  { method: 'GET', path: '/api/chat/:id/stream', policy: 'token', handle: reconnect },
]
