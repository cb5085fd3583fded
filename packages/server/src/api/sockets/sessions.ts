import { ApiError } from '@millrace/core/api/api-error'
import type { StoredRun } from '../../log/log.ts'
import { checked } from '../body.ts'
import { wantedOf } from '../routes/streams.ts'
import type { AskedSocket, Connected, Services, SocketRoute } from '../services.ts'
import { allThatIsOver } from '../sessions/follower.ts'
import { MOST_BYTES } from '../sessions/frames.ts'
import { DS_AGENT, divided, type SessionPlace } from '../sessions/place.ts'
import { sessionsOf } from '../sessions/sessions.ts'
import { talk } from '../sessions/talk.ts'
import { cursorShape } from '../shapes.ts'

/**
 * A session, to one who asks and is answered. Behind the place that `after` names, all that the session has said since
 * follows; without it, the run that goes on is told from its first message.
 */
async function connect({ params, query }: AskedSocket, services: Services): Promise<Connected> {
  const sessionId = params.id ?? ''
  const runs = await sessionsOf(services).runs(sessionId)
  const { after: place, ...rest } = query
  const { profile } = wantedOf({ ...rest, wire: DS_AGENT }, undefined)
  const after = place === undefined ? allThatIsOver(runs) : placeIn(runs, place)
  const wanted = { ...(after !== undefined && { after }), ...(profile !== undefined && { profile }) }
  return (socket) => talk(socket, { services, sessionId, ...wanted })
}

function placeIn(runs: readonly StoredRun[], place: string): SessionPlace {
  const { runId, cursor } = divided(place)
  if (runs.some(({ id }) => id === runId)) return { runId, cursor: checked(cursor, cursorShape) }
  throw new ApiError(404, 'unknown-run', `There is no run "${runId}" in the session.`)
}

export const sessionSockets: readonly SocketRoute[] = [
  { path: '/api/v2/ws/:id', maxPayload: MOST_BYTES, open: connect },
]
