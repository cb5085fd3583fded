import { mainRuns, type StoppedConversation } from '@millrace/core/api'
import type { StoredRun } from '../log/log.ts'
import { stopRun } from '../run/ask.ts'
import type { Services } from './services.ts'

export interface StopRequest {
  readonly threadId: string
  readonly by?: string | undefined
  /** The last run that the caller knows of, in the order of the thread; without it, every run counts. */
  lastSeen?(runs: readonly StoredRun[]): Promise<StoredRun | undefined>
}

/**
 * Stops what a conversation has live: the runs that had begun, or were being started, when this was called. A run that
 * begins later is never stopped, nor one behind the last that the caller has seen.
 */
export async function stopConversation(
  { log, runs, starts }: Services,
  { threadId, by, lastSeen }: StopRequest,
): Promise<StoppedConversation> {
  const startedNow = starts.underWay(threadId)
  const begun = new Set(mainRuns(await log.runs(threadId)).map(({ id }) => id))
  for (const id of await startedNow) begun.add(id)
  const all = mainRuns(await log.runs(threadId))
  const last = lastSeen === undefined ? all.at(-1) : await lastSeen(all)
  const end = all.findIndex(({ id }) => id === last?.id)
  const live = all.slice(0, end + 1).filter(({ id, state }) => begun.has(id) && state !== 'ended')
  const results = await Promise.all(
    live.map(async ({ id: runId }) => ({ runId, result: await stopRun(runs, runId, by) })),
  )
  // A stop that no owner has settled yet is stored, and will be.
  const stopped = results.filter(({ result }) => result !== false)
  return { threadId, stopped: stopped.length > 0, runIds: stopped.map(({ runId }) => runId) }
}
