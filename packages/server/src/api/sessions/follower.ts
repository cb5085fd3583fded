import type { Cursor } from '../../deliver/cursor.ts'
import { follow } from '../../deliver/fan-out.ts'
import type { Piece } from '../../deliver/piece.ts'
import type { Line } from '../../deliver/websocket.ts'
import type { StoredRun } from '../../log/log.ts'
import type { Services } from '../services.ts'
import { DS_AGENT, messagesOf, type SessionPlace } from './place.ts'
import type { Sessions } from './sessions.ts'
import { runsIn } from './state.ts'

export interface FollowerOptions {
  readonly services: Services
  readonly sessions: Sessions
  readonly sessionId: string
  /** What the client has already; without it, it gets every run of the session. */
  readonly after?: SessionPlace
  readonly profile?: string
  readonly line: Line
}

/** Says to one client what the runs of a session say, one run after the other. */
export interface Follower {
  /** Resolves when the client is gone. Rejects where the log fails. */
  follow(): Promise<void>
  /** Lets `act` speak while the runs are silent; it is told how far the client has been told of them. */
  interrupt(act: (told: SessionPlace | undefined) => Promise<void>): Promise<void>
}

export function createFollower(options: FollowerOptions): Follower {
  const { services, sessions, sessionId, after, profile, line } = options
  const { sink, pacer } = line
  let silence: Promise<void> | undefined
  let told = after

  async function give(runId: string, piece: Piece): Promise<void> {
    for (const [at, message] of messagesOf(piece, runId).entries()) {
      if (silence !== undefined) await silence
      const standing = pacer.send(message)
      const { entry, index } = piece.placed[at] ?? {}
      if (entry !== undefined && index !== undefined) told = { runId, cursor: { seq: entry.seq, index } }
      if (standing !== undefined) await standing
    }
  }

  async function followRun(runId: string, cursor: Cursor): Promise<void> {
    const wanted = { wire: DS_AGENT, ...(profile !== undefined && { profile }), after: cursor }
    const watch = { runId, threadId: sessionId, ...wanted, signal: sink.closed }
    await follow(services.fanOut, watch, (piece) => give(runId, piece))
    told = { runId, cursor: END }
  }

  /** What the client has not been told of yet. */
  async function next(): Promise<SessionPlace | undefined> {
    const runs = await runsIn(services.log, sessionId)
    const at = runs.findIndex(({ id }) => id === told?.runId)
    if (told !== undefined && at !== -1 && told.cursor !== END) return told
    const run = runs[at + 1]
    return run && { runId: run.id, cursor: START }
  }

  return {
    async follow() {
      let bell = Promise.withResolvers<void>()
      const ring = () => bell.resolve()
      const leave = sessions.listen(sessionId, ring)
      sink.closed.addEventListener('abort', ring)
      try {
        while (!sink.closed.aborted) {
          // First the bell, then the look: a run that begins in between is heard.
          bell = Promise.withResolvers()
          const place = await next()
          if (place === undefined) await bell.promise
          else await followRun(place.runId, place.cursor)
        }
      } finally {
        leave()
      }
    },
    async interrupt(act) {
      const { promise, resolve } = Promise.withResolvers<void>()
      silence = promise
      try {
        await act(told)
      } finally {
        silence = undefined
        resolve()
      }
    },
  }
}

/** Before the first and behind the last message of a run. */
const START: Cursor = { seq: 0 }
const END: Cursor = { seq: Number.POSITIVE_INFINITY }

/** What a client that says nothing of itself has: all that is over. It gets the run that goes on from its first message. */
export function allThatIsOver(runs: readonly StoredRun[]): SessionPlace | undefined {
  const open = runs.findIndex(({ state }) => state !== 'ended')
  const last = runs.at(open === -1 ? -1 : open - 1)
  return open === 0 || last === undefined ? undefined : { runId: last.id, cursor: END }
}
