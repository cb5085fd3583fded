import { ApiError } from '@millrace/core/api'
import type { StoredRun } from '../../log/log.ts'
import { checked } from '../request.ts'
import { streamRequestOf } from '../routes/streams.ts'
import type { ServeSocket, Services, SocketRequest, SocketRoute } from '../services.ts'
import { allThatIsOver } from '../sessions/follower.ts'
import { MOST_BYTES } from '../sessions/frames.ts'
import { serveSession } from '../sessions/serve-session.ts'
import { DS_AGENT, type SessionPosition, splitPosition } from '../sessions/session-position.ts'
import { sessionsOf } from '../sessions/sessions.ts'
import { cursorShape } from '../shapes.ts'

/**
 * A session for one client, in both directions. With `after`, everything behind that position is sent; without it, the live
 * run from its first message.
 */
async function connect({ params, query }: SocketRequest, services: Services): Promise<ServeSocket> {
  const sessionId = params.id ?? ''
  const runs = await sessionsOf(services).runs(sessionId)
  const { after: position, ...rest } = query
  const { profile } = streamRequestOf({ ...rest, wire: DS_AGENT }, undefined)
  const after = position === undefined ? allThatIsOver(runs) : positionIn(runs, position)
  const wanted = { ...(after !== undefined && { after }), ...(profile !== undefined && { profile }) }
  return (socket) => serveSession(socket, { services, sessionId, ...wanted })
}

function positionIn(runs: readonly StoredRun[], position: string): SessionPosition {
  const { runId, cursor } = splitPosition(position)
  if (runs.some(({ id }) => id === runId)) return { runId, cursor: checked(cursor, cursorShape) }
  throw new ApiError(404, 'unknown-run', `There is no run "${runId}" in the session.`)
}

export const sessionSockets: readonly SocketRoute[] = [
  { path: '/api/v2/ws/:id', maxPayload: MOST_BYTES, open: connect },
]
