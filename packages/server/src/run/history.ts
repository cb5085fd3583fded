import { type ChatEvent, createFold, createJoin } from '@millrace/core/fold'
import type { Log, StoredRun } from '../log/log.ts'

/** The chat events of a run and of the runs that it continues, oldest first, joined: later outputs complete calls. */
export async function historyOf(
  log: Log,
  threadId: string,
  lastRunId: string | undefined,
): Promise<readonly ChatEvent[]> {
  if (lastRunId === undefined) return []
  const runs = new Map((await log.runs(threadId)).map((run) => [run.id, run]))
  const chain: StoredRun[] = []
  for (let run = runs.get(lastRunId); run !== undefined; run = runs.get(run.afterRunId ?? '')) {
    chain.unshift(run)
    // Each run is taken once, so that a circular chain ends.
    runs.delete(run.id)
  }
  const folded = await Promise.all(chain.map((run) => chatEventsOf(log, run.id)))
  return createJoin()(folded.flat())
}

/** The chat events of one run so far. */
export async function chatEventsOf(log: Log, runId: string): Promise<readonly ChatEvent[]> {
  const fold = createFold({ runId })
  for await (const entries of log.read(runId, { after: 0, live: false })) fold.push(entries)
  return fold.snapshot().chatEvents
}
