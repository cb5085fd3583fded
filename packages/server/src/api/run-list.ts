import { isListed, type Overview, type RunFilter, type ThreadPage } from '@millrace/core/api'
import type { StoredRun } from '../log/log.ts'
import { type ListedRow, openThreads, type RowSources, withLastRuns } from './thread-rows.ts'

/** How many threads one look at the log takes, and one request at most. */
const LOOK = 200
const MOST_LOOKED = 4_000

export interface RunListQuery extends RunFilter {
  readonly after?: string
  readonly limit: number
}

/**
 * Threads that satisfy the filter, newest first. Few of many may: a page that has looked at enough is returned as it is, with the cursor to go
 * on from.
 */
export async function listRuns({ after, limit, ...filter }: RunListQuery, sources: RowSources): Promise<ThreadPage> {
  const threads: ListedRow[] = []
  let next = after
  for (let looked = 0; looked < MOST_LOOKED; looked += LOOK) {
    const page = await sources.log.threads({ limit: LOOK, ...(next !== undefined && { after: next }) })
    const { items } = page
    const found = (await withLastRuns(items, sources)).filter((thread) => isListed(thread, filter))
    threads.push(...found.slice(0, limit - threads.length))
    next = page.next
    const last = threads.at(-1)
    if (threads.length === limit && last !== undefined && last.id !== items.at(-1)?.id) next = cursorAfter(last)
    const isOver = (items.at(-1)?.updatedAt ?? 0) < (filter.since ?? 0)
    if (next === undefined || isOver) return { threads }
    if (threads.length === limit) break
  }
  return next === undefined ? { threads } : { threads, next }
}

const cursorAfter = ({ updatedAt, id }: ListedRow): string => `${updatedAt}.${id}`

const MOST_COUNTED = 5_000

/** What the log has counted since a time, and for comparison between another and it. */
export async function overviewOf(
  { since, before }: { readonly since: number; readonly before: number },
  sources: RowSources,
): Promise<Overview> {
  const [all, open] = await Promise.all([sources.log.recentRuns(before, MOST_COUNTED), openThreads(sources)])
  const runs = all.filter(({ createdAt }) => createdAt >= since)
  const asking = open.filter(({ lastRun }) => lastRun?.asks).length
  const sum = (read: (run: StoredRun) => number | undefined) => runs.reduce((total, run) => total + (read(run) ?? 0), 0)
  return {
    live: open.length - asking,
    needsYou: asking,
    runs: runs.length,
    earlier: all.length - runs.length,
    failed: runs.filter(({ outcome }) => outcome === 'error').length,
    costUsd: sum(({ digest }) => digest?.usage?.costUsd),
    tokens: sum(({ digest }) => (digest?.usage?.inputTokens ?? 0) + (digest?.usage?.outputTokens ?? 0)),
    cachedTokens: sum(({ digest }) => digest?.usage?.cacheReadTokens),
    isPartial: all.length === MOST_COUNTED,
  }
}
