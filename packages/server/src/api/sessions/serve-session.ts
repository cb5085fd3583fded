import type { WebSocket } from 'ws'
import { openLine } from '../../deliver/websocket.ts'
import { refusalOf } from '../errors.ts'
import type { Services } from '../services.ts'
import { readFrames } from '../sockets/read-frames.ts'
import { createFollower } from './follower.ts'
import { errorFrame, type Handlers, handle } from './frames.ts'
import { DS_AGENT, messagesOf, type SessionPosition } from './session-position.ts'
import { sessionsOf } from './sessions.ts'

export interface ServeSessionOptions {
  readonly services: Services
  readonly sessionId: string
  readonly after?: SessionPosition
  readonly profile?: string
}

const encoder = new TextEncoder()

/**
 * Talks with one client of a session: says what its runs say, and does what it is asked for, until the client is gone. That
 * it is gone stops no run. Never rejects.
 */
export async function serveSession(socket: WebSocket, options: ServeSessionOptions): Promise<void> {
  const { services, sessionId, profile } = options
  const { timing, shutdown } = services
  const sessions = sessionsOf(services)
  const line = openLine({ socket, timing, shutdown })
  const follower = createFollower({ ...options, wire: DS_AGENT, messagesOf, sessions, line })

  function reportInternal(error: unknown): void {
    if (refusalOf(error).status === 500) services.report(error)
  }

  const send = (message: object) => line.pacer.send(encoder.encode(JSON.stringify(message)))

  const handlers: Handlers = {
    ping: () => send({ type: 'pong' }),
    query: ({ query }) => sessions.ask(sessionId, query),
    get_state: async () => send({ type: 'state', state: await sessions.state(sessionId) }),
    get_messages: ({ limit }) =>
      follower.interrupt(async (upTo) => {
        for (const message of await sessions.history(sessionId, { limit, profile, ...(upTo && { upTo }) }))
          await send(message)
      }),
    approve: ({ approval_id, approved, message }) =>
      sessions.approve(sessionId, approval_id, { approved, ...(message !== undefined && { message }) }),
    stop: () => sessions.stop(sessionId),
  }

  readFrames(socket, async (frame, isBinary) => {
    try {
      await handle(handlers, frame, isBinary)
    } catch (error) {
      reportInternal(error)
      await send(errorFrame(error))
    }
  })

  try {
    await follower.follow()
  } catch (error) {
    reportInternal(error)
    line.sink.cut()
  } finally {
    line.pacer.stop()
  }
}
