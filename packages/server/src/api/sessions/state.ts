import { mainRuns, newThreadId } from '@millrace/core/api'
import type { Outcome } from '@millrace/core/events'
import type { Log, StoredRun, StoredThread } from '../../log/log.ts'
import type { Agent } from '../../run/agent.ts'

/** The state of a session, from its stored runs alone. Clients and crashes change nothing of it in memory. */
export interface SessionState {
  readonly session_id: string
  readonly agent_type: string
  readonly state: 'idle' | 'processing' | 'completed' | 'error'
  readonly created_at: string
  readonly last_activity: string
}

const states: { readonly [Ended in Outcome]: SessionState['state'] } = {
  success: 'completed',
  'awaiting-input': 'completed',
  error: 'error',
  interrupted: 'idle',
  cancelled: 'idle',
}

/** `runs` are the session's, oldest first. For a list of sessions, the newest run is enough. */
export function stateOf(thread: StoredThread, runs: readonly StoredRun[], agents: readonly Agent[]): SessionState {
  const outcome = runs.at(-1)?.outcome
  const ended = outcome === undefined ? 'idle' : states[outcome]
  return {
    session_id: thread.id,
    agent_type: agentOf(thread.id, runs, agents) ?? '',
    state: runs.some(isOpen) ? 'processing' : ended,
    created_at: new Date(thread.createdAt).toISOString(),
    last_activity: new Date(thread.updatedAt).toISOString(),
  }
}

/** The agent of the next query: the one that the session was created for, else the last one used, else the first. */
export function agentOf(sessionId: string, runs: readonly StoredRun[], agents: readonly Agent[]): string | undefined {
  const names = agents.map(({ name }) => name)
  const used = runs.findLast(({ agent }) => agent !== undefined && names.includes(agent))?.agent
  return agentIn(sessionId) ?? used ?? names[0]
}

export const isOpen = ({ state }: StoredRun): boolean => state !== 'ended'

/** The runs of a session, oldest first. A subagent's own run is shown within its parent run. */
export async function runsIn(log: Log, sessionId: string): Promise<readonly StoredRun[]> {
  return mainRuns(await log.runs(sessionId))
}

/**
 * A thread knows its agent only from its runs. Until there is a run, the session's id holds the name of the agent that was
 * asked for, so that a restart does not lose it.
 */

const MARK = '~'

export function newSessionId(agent: string | undefined): string {
  const id = newThreadId()
  return agent === undefined ? id : `${id}${MARK}${Buffer.from(agent).toString('base64url')}`
}

/** The agent that the session was created for; undefined if none was named, or if the thread is not such a session. */
export function agentIn(sessionId: string): string | undefined {
  const [, mark] = /^thr_[\w-]+~([\w-]+)$/.exec(sessionId) ?? []
  return mark === undefined ? undefined : Buffer.from(mark, 'base64url').toString('utf8')
}
