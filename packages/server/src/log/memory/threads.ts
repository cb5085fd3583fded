import type { Bell } from '../bell.ts'
import type { Log, StoredThread } from '../log.ts'
import { comesAfter, limitOf, pageOf, positionOf } from '../thread-pages.ts'

/** The threads of the in-memory log. */
export interface Threads {
  get(threadId: string): StoredThread | undefined
  /** Creates the thread if there is none. It becomes the newest of the list. */
  touch(threadId: string, change?: { readonly title?: string }): StoredThread
  /** Notes a change that leaves the thread where it is in the list. The title is for a thread without one. */
  note(threadId: string, title?: string): void
  delete(threadId: string): boolean
  page(query: Parameters<Log['threads']>[0], isFound: (thread: StoredThread) => boolean): ReturnType<Log['threads']>
}

export function createThreads(clock: () => number, ring: Bell['ring']): Threads {
  const threads = new Map<string, StoredThread>()

  function set(thread: StoredThread): StoredThread {
    const next = { ...thread, version: thread.version + 1 }
    threads.set(thread.id, next)
    ring({ threadId: thread.id })
    return next
  }

  return {
    get: (threadId) => threads.get(threadId),
    touch(threadId, change = {}) {
      const at = clock()
      const thread = threads.get(threadId) ?? { id: threadId, title: '', createdAt: at, updatedAt: at, version: 0 }
      return set({ ...thread, ...change, updatedAt: Math.max(thread.updatedAt, at) })
    },
    note(threadId, title) {
      const thread = threads.get(threadId)
      if (thread !== undefined) set(title === undefined || thread.title !== '' ? thread : { ...thread, title })
    },
    delete: (threadId) => threads.delete(threadId),
    async page({ after, limit }, isFound) {
      const position = after === undefined ? undefined : positionOf(after)
      const found = [...threads.values()]
        .filter((thread) => position === undefined || comesAfter(thread, position))
        .filter(isFound)
        .sort((one, other) => (comesAfter(one, other) ? 1 : -1))
      return pageOf(found, limitOf(limit))
    },
  }
}
