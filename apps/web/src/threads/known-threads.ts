import type { ListedThread, ThreadPage } from '@millrace/core/client'

/** The pages of the list that were asked for, joined without a gap, newest first. */
export interface KnownThreads {
  readonly threads: readonly ListedThread[]
  /** Given if the server has older ones: what to ask for next. */
  readonly next: string | undefined
}

export const NO_THREADS: KnownThreads = { threads: [], next: undefined }

/**
 * A newer first page over what was there. Older threads stay as far as they join on to it; if more came meanwhile than a
 * page holds, there would be a gap, so only the page stays. A thread within the page's range that is not on it is gone.
 */
export function withFirstPage({ threads, next }: KnownThreads, page: ThreadPage): KnownThreads {
  const last = page.threads.at(-1)
  const ids = new Set(page.threads.map(({ id }) => id))
  const joins = threads.some(({ id }) => ids.has(id))
  if (page.next === undefined || last === undefined || !joins) return { threads: page.threads, next: page.next }
  const older = threads.filter((thread) => !ids.has(thread.id) && isBehind(thread, last))
  return { threads: [...page.threads, ...older], next: older.length > 0 ? next : page.next }
}

/** The page that follows. */
export function withNextPage({ threads }: KnownThreads, page: ThreadPage): KnownThreads {
  const ids = new Set(threads.map(({ id }) => id))
  return { threads: [...threads, ...page.threads.filter(({ id }) => !ids.has(id))], next: page.next }
}

/** As the server orders them: newest update first, then the greater id. */
function isBehind(thread: ListedThread, last: ListedThread): boolean {
  const [own = 0, other = 0] = [thread.updatedAt, last.updatedAt]
  return own < other || (own === other && thread.id < last.id)
}
