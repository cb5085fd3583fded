import type { ListedThread } from '@millrace/core/api'
import { present } from '@millrace/core/json'
import { LogError } from '../log/errors.ts'
import type { StoredRun, StoredThread } from '../log/log.ts'
import type { Runs } from '../run/runs.ts'
import type { Services } from './services.ts'
import { lastRunView } from './shapes.ts'

/** What rows of threads are read from. */
export type RowSources = Pick<Services, 'log' | 'runs'>

/** A thread of the log with its last run. */
export type ListedRow = StoredThread & Pick<ListedThread, 'lastRun'>

/** The threads whose last run has not ended, newest first, however old they are. */
export async function openThreads(sources: RowSources): Promise<ListedRow[]> {
  const { log } = sources
  const ids = [...new Set((await log.openRuns()).map(({ threadId }) => threadId))]
  const threads = (await Promise.all(ids.map((id) => log.thread(id)))).filter((thread) => thread !== undefined)
  const listed = await withLastRuns(threads, sources)
  return listed
    .filter(({ lastRun }) => lastRun !== undefined && lastRun.state !== 'ended')
    .sort((one, other) => other.updatedAt - one.updatedAt)
}

/** Each thread with how its last run stands: what a list shows, without any thread being folded for it. */
export async function withLastRuns(threads: readonly StoredThread[], { log, runs }: RowSources): Promise<ListedRow[]> {
  const lastRuns = await log.lastRuns(threads.map(({ id }) => id))
  const views = await Promise.all(
    lastRuns.map(async (run) => [run.threadId, lastRunView(run, await isAsking(runs, run))] as const),
  )
  const lastRun = new Map(views)
  return threads.map((thread) => present({ ...thread, lastRun: lastRun.get(thread.id) }))
}

/** A run may be deleted between its listing and the question. */
export const isAsking = (runs: Runs, run: StoredRun): Promise<boolean> =>
  runs.isAsking(run).catch((error: unknown) => {
    if (error instanceof LogError && error.code === 'unknown-run') return false
    throw error
  })
