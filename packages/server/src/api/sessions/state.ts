import type { Outcome } from '@millrace/core/event-fields'
import type { Log, StoredRun, StoredThread } from '../../log/log.ts'
import type { Agent } from '../../run/agent.ts'
import { agentIn } from './session-id.ts'

/** How a session stands, from its runs alone: whoever left, crashed or came back has changed nothing in memory. */
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

/** The runs are the session's, oldest first; where many sessions are listed, the newest of them will do. */
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

/** The agent that answers the next query: the one that was asked for, else the last one that did, else the first. */
export function agentOf(sessionId: string, runs: readonly StoredRun[], agents: readonly Agent[]): string | undefined {
  const names = agents.map(({ name }) => name)
  const used = runs.findLast(({ agent }) => agent !== undefined && names.includes(agent))?.agent
  return agentIn(sessionId) ?? used ?? names[0]
}

export const isOpen = ({ state }: StoredRun): boolean => state !== 'ended'

/** The runs of a session, oldest first. A subagent's own run is told of in the run that it is a part of. */
export async function runsIn(log: Log, sessionId: string): Promise<readonly StoredRun[]> {
  return (await log.runs(sessionId)).filter(({ parentRunId }) => parentRunId === undefined)
}
