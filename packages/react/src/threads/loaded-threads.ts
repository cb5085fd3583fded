import type { ListedThread, ThreadPage } from '@millrace/core/client'

/** The pages of the list that were loaded, joined without a gap, newest first. */
export interface LoadedThreads {
  readonly threads: readonly ListedThread[]
  /** The cursor of the next page; undefined if the server has no older threads. */
  readonly next: string | undefined
}

export const NO_THREADS: LoadedThreads = { threads: [], next: undefined }

/**
 * Replaces the first page by a newer one. Older threads stay if they adjoin it; if more came meanwhile than a
 * page holds, there would be a gap, so only the page stays. A thread in the page's range that is not on it is removed.
 */
export function withFirstPage({ threads, next }: LoadedThreads, page: ThreadPage): LoadedThreads {
  const last = page.threads.at(-1)
  const ids = new Set(page.threads.map(({ id }) => id))
  const joins = threads.some(({ id }) => ids.has(id))
  if (page.next === undefined || last === undefined || !joins) return { threads: page.threads, next: page.next }
  const older = threads.filter((thread) => !ids.has(thread.id) && isBehind(thread, last))
  return { threads: [...page.threads, ...older], next: older.length > 0 ? next : page.next }
}

/** Adds the next page. */
export function withNextPage({ threads }: LoadedThreads, page: ThreadPage): LoadedThreads {
  const ids = new Set(threads.map(({ id }) => id))
  return { threads: [...threads, ...page.threads.filter(({ id }) => !ids.has(id))], next: page.next }
}

/**
 * Replaces or adds a thread that has changed. One that belongs behind the loaded pages is left out: it comes with its
 * page.
 */
export function withThread({ threads, next }: LoadedThreads, thread: ListedThread): LoadedThreads {
  const others = threads.filter(({ id }) => id !== thread.id)
  const behind = others.findIndex((other) => isBehind(other, thread))
  if (behind >= 0) return { threads: others.toSpliced(behind, 0, thread), next }
  return { threads: next === undefined ? [...others, thread] : others, next }
}

/** Replaces a thread that has changed, where it is. */
export function withChanged({ threads, next }: LoadedThreads, thread: ListedThread): LoadedThreads {
  return { threads: threads.map((other) => (other.id === thread.id ? thread : other)), next }
}

export function withoutThread({ threads, next }: LoadedThreads, threadId: string): LoadedThreads {
  return { threads: threads.filter(({ id }) => id !== threadId), next }
}

/** The order of the server: newest update first, then the greater id. */
function isBehind(thread: ListedThread, last: ListedThread): boolean {
  const [updated = 0, other = 0] = [thread.updatedAt, last.updatedAt]
  return updated < other || (updated === other && thread.id < last.id)
}
