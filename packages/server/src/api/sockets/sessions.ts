import { streamRequestOf } from '../routes/streams.ts'
import type { ServeSocket, Services, SocketRequest, SocketRoute } from '../services.ts'
import { allThatIsOver, positionIn } from '../sessions/follower.ts'
import { MOST_BYTES } from '../sessions/frames.ts'
import { serveSession } from '../sessions/serve-session.ts'
import { DS_AGENT } from '../sessions/session-position.ts'
import { sessionsOf } from '../sessions/sessions.ts'

/**
 * A session for one client, in both directions. With `after`, everything behind that position is sent; without it, the live
 * run from its first message.
 */
async function connect({ params, query }: SocketRequest, services: Services): Promise<ServeSocket> {
  const sessionId = params.id ?? ''
  const sessions = sessionsOf(services)
  const runs = await sessions.runs(sessionId)
  const { after: position, ...rest } = query
  const { profile = sessions.profile(sessionId) } = streamRequestOf({ ...rest, wire: DS_AGENT }, undefined)
  const after = position === undefined ? allThatIsOver(runs) : positionIn(runs, position)
  const wanted = { ...(after !== undefined && { after }), ...(profile !== undefined && { profile }) }
  return (socket) => serveSession(socket, { services, sessionId, ...wanted })
}

export const sessionSockets: readonly SocketRoute[] = [
  { path: '/api/v2/ws/:id', maxPayload: MOST_BYTES, isSession: true, open: connect },
]
