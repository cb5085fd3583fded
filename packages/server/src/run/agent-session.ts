import type { StreamEvent } from '@millrace/core/events'
import { isJsonObject } from '@millrace/core/json'
import type { Log, StoredRun } from '../log/log.ts'
import type { AgentSession } from './agent.ts'

/** The conversation of an agent as a run logs it, with the folder that it belongs to. */
export interface LoggedSession extends AgentSession {
  readonly cwd: string
}

/** No agent names a conversation with more characters; what is longer is not logged. */
const LONGEST_ID = 1024

/** Undefined if the id cannot be one. */
export function sessionEvent(
  session: Pick<LoggedSession, 'id' | 'at' | 'cwd'> & { readonly agent: string },
): StreamEvent | undefined {
  const { agent, id, at, cwd } = session
  if (id === '' || id.length > LONGEST_ID || (at?.length ?? 0) > LONGEST_ID) return undefined
  return { type: 'metadata', metadata: { millrace: { session: { agent, id, ...(at !== undefined && { at }), cwd } } } }
}

/** The conversation of the nearest run of the same agent that the run continues. */
export async function sessionBefore(log: Log, run: StoredRun): Promise<LoggedSession | undefined> {
  const all = await log.runs(run.threadId)
  const left = new Map(all.map((each) => [each.id, each]))
  left.delete(run.id)
  let before = left.get(run.afterRunId ?? '')
  for (; before !== undefined; before = left.get(before.afterRunId ?? '')) {
    // Each run is taken once, so that a circular chain ends.
    left.delete(before.id)
    const session = before.agent === run.agent ? await reportedIn(log, before.id) : undefined
    if (session === undefined) continue
    const later = all.slice(all.findIndex(({ id }) => id === before?.id) + 1)
    // What is still in `left` is not on the way here: it continued the conversation in another branch.
    return { ...session, runId: before.id, isFork: later.some(({ id, agent }) => left.has(id) && agent === run.agent) }
  }
  return undefined
}

type Reported = Pick<LoggedSession, 'id' | 'at' | 'cwd'>

/** The last that the server has logged: what a producer's record claims does not count. */
async function reportedIn(log: Log, runId: string): Promise<Reported | undefined> {
  let last: Reported | undefined
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    for (const { event, by } of entries) {
      if (by === 'server' && event.type === 'metadata') last = sessionIn(event.metadata.millrace) ?? last
    }
  }
  return last
}

function sessionIn(value: unknown): Reported | undefined {
  const session = isJsonObject(value) ? value.session : undefined
  if (!isJsonObject(session)) return undefined
  const { id, at, cwd } = session as unknown as Reported
  return { id, cwd, ...(at !== undefined && { at }) }
}
