import { ApiError } from '@millrace/core/api'
import type { ChunkBatch } from '../../deliver/chunk-batch.ts'
import type { Cursor } from '../../deliver/cursor.ts'
import { follow } from '../../deliver/follow.ts'
import type { Line } from '../../deliver/websocket.ts'
import type { StoredRun } from '../../log/log.ts'
import { checked } from '../request.ts'
import type { Services } from '../services.ts'
import { cursorShape } from '../shapes.ts'
import { type SessionPosition, splitPosition } from './session-position.ts'
import type { Sessions } from './sessions.ts'
import { runsIn } from './state.ts'

export interface FollowerOptions {
  readonly services: Services
  readonly sessions: Pick<Sessions, 'listen'>
  /** A session is a thread. */
  readonly sessionId: string
  /** What the client already has; without it, the client gets every run of the session. */
  readonly after?: SessionPosition
  readonly wire: string
  readonly profile?: string
  readonly line: Line
  /** The bytes of each chunk of a batch, in their order. */
  readonly messagesOf: (batch: ChunkBatch, runId: string) => readonly Uint8Array[]
}

/** Sends the runs of a session to one client, one run after the other. */
export interface Follower {
  /** Resolves when the client is gone. Rejects if the log fails. */
  follow(): Promise<void>
  /** Calls `act` while nothing of the runs is sent, with the position of the last message that was sent. */
  interrupt(act: (delivered: SessionPosition | undefined) => Promise<void>): Promise<void>
}

export function createFollower(options: FollowerOptions): Follower {
  const { services, sessions, sessionId, after, wire, profile, line, messagesOf } = options
  const { sink, pacer } = line
  let silence: Promise<void> | undefined
  let delivered = after

  async function send(runId: string, batch: ChunkBatch): Promise<void> {
    for (const [at, message] of messagesOf(batch, runId).entries()) {
      if (silence !== undefined) await silence
      const draining = pacer.send(message)
      const { entry, index } = batch.chunks[at] ?? {}
      if (entry !== undefined && index !== undefined) delivered = { runId, cursor: { seq: entry.seq, index } }
      if (draining !== undefined) await draining
    }
  }

  async function followRun(runId: string, cursor: Cursor): Promise<void> {
    const wanted = { wire, ...(profile !== undefined && { profile }), after: cursor }
    const watch = { runId, threadId: sessionId, ...wanted, signal: sink.closed }
    await follow(services.fanOut, watch, (batch) => send(runId, batch))
    delivered = { runId, cursor: END }
  }

  /** The position of the next message to send. */
  async function next(): Promise<SessionPosition | undefined> {
    const runs = await runsIn(services.log, sessionId)
    const at = runs.findIndex(({ id }) => id === delivered?.runId)
    if (delivered !== undefined && at !== -1 && delivered.cursor !== END) return delivered
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
          // The promise is replaced before the runs are read, so a run that begins in between is not missed.
          bell = Promise.withResolvers()
          const position = await next()
          if (position === undefined) await bell.promise
          else await followRun(position.runId, position.cursor)
        }
      } finally {
        leave()
      }
    },
    async interrupt(act) {
      const { promise, resolve } = Promise.withResolvers<void>()
      silence = promise
      try {
        await act(delivered)
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

/** The position of a client that names none: behind all ended runs. It gets the live run from its first message. */
export function allThatIsOver(runs: readonly StoredRun[]): SessionPosition | undefined {
  const open = runs.findIndex(({ state }) => state !== 'ended')
  const last = runs.at(open === -1 ? -1 : open - 1)
  return open === 0 || last === undefined ? undefined : { runId: last.id, cursor: END }
}

/** The position in a client's text: a run of the session and a cursor in it, or `0` for everything. Throws 404 for another run. */
export function positionIn(runs: readonly StoredRun[], position: string): SessionPosition {
  const { runId, cursor } = splitPosition(position)
  if (position === '0' || runs.some(({ id }) => id === runId)) return { runId, cursor: checked(cursor, cursorShape) }
  throw new ApiError(404, 'unknown-run', `There is no run "${runId}" in the session.`)
}
