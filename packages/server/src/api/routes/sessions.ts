import { z } from 'zod'
import { deleteThreadAndFiles } from '../../files/files.ts'
import { readJson, readQuery } from '../request.ts'
import type { Context, Route, Services } from '../services.ts'
import { historyLimit } from '../sessions/frames.ts'
import { DS_AGENT } from '../sessions/session-position.ts'
import { sessionsOf } from '../sessions/sessions.ts'
import { agentFor, newSessionId, stateOf } from '../sessions/state.ts'
import { countShape } from '../shapes.ts'
import { agentNamed } from './runs.ts'
import { checkProfile, withoutUpgrade } from './streams.ts'

const newShape = z.object({ agent_type: z.string().max(100).optional(), profile: z.string().max(100).optional() })
const listShape = z.object({ after: z.string().max(500).optional(), limit: countShape(200).default(50) })
const historyShape = z.object({ limit: historyLimit })

async function createSession(context: Context, services: Services): Promise<Response> {
  const { agent_type: agentType, profile } = await readJson(context, services.limits, newShape)
  checkProfile(DS_AGENT, profile)
  // Throws if there is no such agent.
  agentNamed(services.runs, agentFor(agentType, services.sessions))
  const { id } = await services.log.createThread({ id: newSessionId({ agentType, profile }) })
  const state = await sessionsOf(services).state(id)
  return context.json({ ...state, websocket_url: socketOf(context, id), ticket: services.tickets.issue(id) }, 201)
}

/** A further ticket, for a client that comes back: each is good once. */
async function issueTicket(context: Context, services: Services): Promise<Response> {
  const id = idOf(context)
  await sessionsOf(services).runs(id)
  return context.json({ ticket: services.tickets.issue(id) }, 201)
}

/** Without the number of messages: no session is read for a list. */
async function listSessions(context: Context, { log, runs }: Services): Promise<Response> {
  const { limit, after } = readQuery(context, listShape)
  const { items, next } = await log.threads({ limit, ...(after && { after }) })
  const last = new Map((await log.lastRuns(items.map(({ id }) => id))).map((run) => [run.threadId, run]))
  const sessions = items.map((thread) => {
    const newest = last.get(thread.id)
    return {
      ...stateOf(thread, newest === undefined ? [] : [newest], runs.agents()),
      websocket_url: socketOf(context, thread.id),
    }
  })
  return context.json({ sessions, next })
}

async function showSession(context: Context, services: Services): Promise<Response> {
  const state = await sessionsOf(services).state(idOf(context))
  return context.json({ ...state, websocket_url: socketOf(context, state.session_id) })
}

async function deleteSession(context: Context, services: Services): Promise<Response> {
  const id = idOf(context)
  await sessionsOf(services).runs(id)
  await deleteThreadAndFiles(services, id)
  return context.json({ message: 'Session deleted' })
}

async function showMessages(context: Context, services: Services): Promise<Response> {
  const id = idOf(context)
  const sessions = sessionsOf(services)
  const messages = await sessions.history(id, {
    ...readQuery(context, historyShape),
    profile: sessions.profile(id),
  })
  return context.json({ session_id: id, messages, total: messages.length })
}

const idOf = (context: Context) => context.req.param('id') ?? ''

/** Below the path that the host keeps for us, where it does: as the client gave it. */
function socketOf({ req }: Context, sessionId: string): string {
  const { pathname } = new URL(req.url)
  return `${pathname.slice(0, pathname.lastIndexOf('/api/v2/sessions'))}/api/v2/ws/${encodeURIComponent(sessionId)}`
}

export const sessionRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/v2/sessions', policy: 'token', handle: createSession },
  { method: 'GET', path: '/api/v2/sessions', policy: 'token', handle: listSessions },
  { method: 'GET', path: '/api/v2/sessions/:id', policy: 'token', handle: showSession },
  { method: 'DELETE', path: '/api/v2/sessions/:id', policy: 'token', handle: deleteSession },
  { method: 'GET', path: '/api/v2/sessions/:id/messages', policy: 'token', handle: showMessages },
  { method: 'POST', path: '/api/v2/sessions/:id/ticket', policy: 'token', handle: issueTicket },
  { method: 'GET', path: '/api/v2/ws/:id', policy: 'token', handle: withoutUpgrade },
]
