import { mainRuns, newThreadId } from '@millrace/core/api'
import type { Outcome } from '@millrace/core/events'
import { getWire } from '@millrace/core/wire'
import type { Log, StoredRun, StoredThread } from '../../log/log.ts'
import type { Agent } from '../../run/agent.ts'
import { DS_AGENT } from './session-position.ts'

/** How sessions are served, for clients that cannot say it themselves. */
export interface SessionSettings {
  /** The profile of `ds-agent` for sessions that name none. */
  readonly profile?: string
  /** The agent behind each `agent_type` that clients name, such as `{ react: 'survey' }`. Other names are names of agents. */
  readonly agents?: { readonly [agentType: string]: string }
}

/** Throws if the wire does not have the profile. */
export function checkedSessions(sessions: SessionSettings = {}): SessionSettings {
  const { profile } = sessions
  const { profiles } = getWire(DS_AGENT)
  if (profile === undefined || profiles.includes(profile)) return sessions
  throw new Error(`\`sessions.profile\` is one of ${profiles.join(', ')}.`)
}

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
    agent_type: choiceIn(thread.id).agentType ?? agentOf(thread.id, runs, agents) ?? '',
    state: runs.some(isOpen) ? 'processing' : ended,
    created_at: new Date(thread.createdAt).toISOString(),
    last_activity: new Date(thread.updatedAt).toISOString(),
  }
}

/** The agent of the next query: the one that the session was created for, else the last one used, else the first. */
export function agentOf(
  sessionId: string,
  runs: readonly StoredRun[],
  agents: readonly Agent[],
  settings: SessionSettings = {},
): string | undefined {
  const names = agents.map(({ name }) => name)
  const used = runs.findLast(({ agent }) => agent !== undefined && names.includes(agent))?.agent
  return agentFor(choiceIn(sessionId).agentType, settings) ?? used ?? names[0]
}

/** The agent behind a client's name. */
export function agentFor(agentType: string | undefined, { agents = {} }: SessionSettings): string | undefined {
  return agentType !== undefined && Object.hasOwn(agents, agentType) ? agents[agentType] : agentType
}

export const isOpen = ({ state }: StoredRun): boolean => state !== 'ended'

/** The runs of a session, oldest first. A subagent's own run is shown within its parent run. */
export async function runsIn(log: Log, sessionId: string): Promise<readonly StoredRun[]> {
  return mainRuns(await log.runs(sessionId))
}

/** What the client has chosen for its session. */
export interface SessionChoice {
  readonly agentType?: string | undefined
  readonly profile?: string | undefined
}

/**
 * A thread knows its agent only from its runs, and no profile. The session's id holds what was asked for, so that a restart
 * does not lose it: behind the first mark the agent, behind the second the profile.
 */
const MARK = '~'

export function newSessionId({ agentType, profile }: SessionChoice): string {
  const marks = profile === undefined ? [agentType] : [agentType, profile]
  const texts = marks.map((mark = '') => Buffer.from(mark).toString('base64url'))
  return agentType === undefined && profile === undefined ? newThreadId() : [newThreadId(), ...texts].join(MARK)
}

/** Empty if nothing was named, or if the thread is not such a session. */
export function choiceIn(sessionId: string): SessionChoice {
  const [, agentType, profile] = /^thr_[\w-]+~([\w-]*)(?:~([\w-]+))?$/.exec(sessionId) ?? []
  return { agentType: textOf(agentType), profile: textOf(profile) }
}

const textOf = (mark = '') => (mark === '' ? undefined : Buffer.from(mark, 'base64url').toString('utf8'))
