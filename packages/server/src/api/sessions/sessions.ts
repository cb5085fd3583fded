import { ApiError } from '@millrace/core/api'
import type { Chunk } from '@millrace/core/wire'
import { LogError } from '../../log/errors.ts'
import type { StoredRun, StoredThread } from '../../log/log.ts'
import { answerApproval, stopRun } from '../../run/ask.ts'
import type { Services } from '../services.ts'
import { createCounts, type HistoryOptions, historyOf } from './history.ts'
import { agentOf, choiceIn, isOpen, runsIn, type SessionState, stateOf } from './state.ts'

/** The sessions of `ds-agent` clients: a session is a thread, and each query in it is a run. */
export interface Sessions {
  /** Its runs, oldest first. Throws 404 if there is no such session. */
  runs(sessionId: string): Promise<readonly StoredRun[]>
  state(sessionId: string): Promise<SessionState & { readonly message_count: number }>
  /** The profile of its messages, if the client that connects names none. Undefined for the wire's default. */
  profile(sessionId: string): string | undefined
  history(sessionId: string, options: HistoryOptions): Promise<readonly Chunk[]>
  /** Starts a run. Throws if the session is busy. */
  ask(sessionId: string, query: string): Promise<void>
  /** Throws if no such approval is open. */
  approve(sessionId: string, approvalId: string, answer: Answer): Promise<void>
  /** Stops the live runs. Throws if there are none. */
  stop(sessionId: string): Promise<void>
  /** Calls `ring` whenever a run of the session may have begun, until the returned function is called. */
  listen(sessionId: string, ring: () => void): () => void
}

export interface Answer {
  readonly approved: boolean
  readonly message?: string
}

const all = new WeakMap<Services, Sessions>()

/** The sessions of a server, the same object for every caller. */
export function sessionsOf(services: Services): Sessions {
  const sessions = all.get(services) ?? createSessions(services)
  all.set(services, sessions)
  return sessions
}

function createSessions({ log, runs, sessions: settings }: Services): Sessions {
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
   * Stops a run whose producer is gone and which stays open only for an answer: a client without approvals could never end it.
   * Throws if the run is busy.
   */
  async function makeWay(run: StoredRun): Promise<void> {
    if (run.state !== 'waiting' || !(await runs.isAsking(run))) throw busy()
    await stopRun(runs, run.id)
  }

  async function start(sessionId: string, query: string): Promise<void> {
    const earlier = await runsOf(sessionId)
    for (const run of earlier.filter(isOpen)) await makeWay(run)
    const agent = agentOf(sessionId, earlier, runs.agents(), settings)
    if (agent === undefined) throw new ApiError(404, 'unknown-agent', 'There is no agent.')
    // Of two queries at once, the log takes one.
    await runs.start({ threadId: sessionId, agent, input: { text: query }, isAlone: true }).catch((error: unknown) => {
      throw error instanceof LogError && error.code === 'run-live' ? busy() : error
    })
  }

  return {
    runs: runsOf,
    async state(sessionId) {
      const thread = await threadOf(sessionId)
      const sessionRuns = await runsIn(log, sessionId)
      return { ...stateOf(thread, sessionRuns, runs.agents()), message_count: await countOf(sessionRuns) }
    },
    profile: (sessionId) => choiceIn(sessionId).profile ?? settings.profile,
    history: async (sessionId, options) => historyOf(log, await runsOf(sessionId), options),
    ask: start,
    async approve(sessionId, approvalId, { approved, message }) {
      const answer = { state: approved ? 'approved' : 'denied', ...(message !== undefined && { message }) } as const
      for (const { id } of (await runsOf(sessionId)).filter(isOpen)) {
        if ((await answerApproval(runs, id, approvalId, answer)) !== 'not-asked') return
      }
      throw new ApiError(409, 'not-asked', `No approval "${approvalId}" is open.`)
    },
    async stop(sessionId) {
      const stopped: unknown[] = []
      for (const { id } of (await runsOf(sessionId)).filter(isOpen)) stopped.push(await stopRun(runs, id))
      if (stopped.every((each) => each === false))
        throw new ApiError(409, 'not-running', 'The session has no live run.')
    },
    listen: (sessionId, ring) => log.watch({ threadId: sessionId }, ring),
  }
}

const busy = () => new ApiError(409, 'session-busy', 'Session is already processing a query')
