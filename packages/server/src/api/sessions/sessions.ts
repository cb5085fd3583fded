import { ApiError } from '@millrace/core/api/api-error'
import type { Chunk } from '@millrace/core/wire/wire'
import type { StoredRun, StoredThread } from '../../log/log.ts'
import { createRunLocks } from '../../run/run-locks.ts'
import type { Services } from '../services.ts'
import { createCounts, type HistoryOptions, historyOf } from './history.ts'
import { agentOf, isOpen, runsIn, type SessionState, stateOf } from './state.ts'

/** The sessions that clients of `ds-agent` know: each is a thread, and each query in it a run. */
export interface Sessions {
  /** Its runs, oldest first. Throws 404 where there is no such session. */
  runs(sessionId: string): Promise<readonly StoredRun[]>
  state(sessionId: string): Promise<SessionState & { readonly message_count: number }>
  history(sessionId: string, options: HistoryOptions): Promise<readonly Chunk[]>
  /** Starts a run. Throws where the session is busy. */
  ask(sessionId: string, query: string): Promise<void>
  /** Throws where nobody waits for the answer. */
  approve(sessionId: string, approvalId: string, answer: Answer): Promise<void>
  /** Stops what runs. Throws where nothing does. */
  stop(sessionId: string): Promise<void>
  /** Calls `ring` whenever a run may have begun, on whichever wire it was asked for, until what it gives back is called. */
  listen(sessionId: string, ring: () => void): () => void
}

export interface Answer {
  readonly approved: boolean
  readonly message?: string
}

const all = new WeakMap<Services, Sessions>()

/** The sessions of a server: the same, whoever asks for them. */
export function sessionsOf(services: Services): Sessions {
  const sessions = all.get(services) ?? createSessions(services)
  all.set(services, sessions)
  return sessions
}

function createSessions({ log, runs }: Services): Sessions {
  const sessionLocks = createRunLocks()
  const countOf = createCounts(log)

  async function threadOf(sessionId: string): Promise<StoredThread> {
    const thread = await log.thread(sessionId)
    if (thread === undefined) throw new ApiError(404, 'unknown-session', `There is no session "${sessionId}".`)
    return thread
  }

  async function runsOf(sessionId: string): Promise<readonly StoredRun[]> {
    await threadOf(sessionId)
    return runsIn(log, sessionId)
  }

  /**
   * A run whose producer is gone, and which stays open only for an answer, gives way: a client that knows no approvals could
   * never end it.
   */
  async function makeWay(run: StoredRun): Promise<void> {
    if (run.state !== 'waiting' || !(await runs.isAsking(run))) {
      throw new ApiError(409, 'session-busy', 'Session is already processing a query')
    }
    await runs.stop(run.id)
  }

  async function start(sessionId: string, query: string): Promise<void> {
    const earlier = await runsOf(sessionId)
    for (const run of earlier.filter(isOpen)) await makeWay(run)
    const agent = agentOf(sessionId, earlier, runs.agents())
    if (agent === undefined) throw new ApiError(404, 'unknown-agent', 'There is no agent.')
    await runs.start({ threadId: sessionId, agent, input: { text: query } })
  }

  return {
    runs: runsOf,
    async state(sessionId) {
      const thread = await threadOf(sessionId)
      const own = await runsIn(log, sessionId)
      return { ...stateOf(thread, own, runs.agents()), message_count: await countOf(own) }
    },
    history: async (sessionId, options) => historyOf(log, await runsOf(sessionId), options),
    // Of two that are asked at once, one is first.
    ask: (sessionId, query) => sessionLocks.take(sessionId, () => start(sessionId, query)),
    async approve(sessionId, approvalId, { approved, message }) {
      const answer = { state: approved ? 'approved' : 'denied', ...(message !== undefined && { message }) } as const
      for (const { id } of (await runsOf(sessionId)).filter(isOpen)) {
        if ((await runs.answer(id, approvalId, answer)) === 'answered') return
      }
      throw new ApiError(409, 'not-asked', `Nobody waits for an answer to "${approvalId}".`)
    },
    async stop(sessionId) {
      const stopped: boolean[] = []
      for (const { id } of (await runsOf(sessionId)).filter(isOpen)) stopped.push(await runs.stop(id))
      if (!stopped.includes(true)) throw new ApiError(409, 'not-running', 'The session is processing nothing.')
    },
    listen: runs.onBegin,
  }
}
