import { readJson } from '../body.ts'
import { chatShape } from '../chat/chat-request.ts'
import { reply, replyAgain } from '../chat/conversation.ts'
import { respond } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { checkProfile } from './streams.ts'

async function post(context: Context, services: Services): Promise<Response> {
  return respond(context, services, await reply(services, await readJson(context, chatShape), profileOf(context)))
}

/** The live run of a chat, from its first chunk; 204 where there is none. */
async function reconnect(context: Context, services: Services): Promise<Response> {
  const parts = await replyAgain(services, context.req.param('id') ?? '', profileOf(context))
  return parts === undefined ? context.body(null, 204) : respond(context, services, parts)
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
