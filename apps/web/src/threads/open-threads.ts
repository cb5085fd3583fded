import { createThreadStore, newThreadId, type ThreadStore } from '@millrace/core/client'

/** The recent thread stores of this page: a thread that was left a moment ago is shown at once. */
export interface OpenThreads {
  /** The store of a thread, created if necessary. */
  open(threadId: string): ThreadStore
  /** A new thread. Its first run creates it on the server. */
  create(): { readonly threadId: string; readonly store: ThreadStore }
}

const KEPT = 4

export function createOpenThreads(baseUrl: string): OpenThreads {
  const stores = new Map<string, ThreadStore>()

  function keep(threadId: string, store: ThreadStore): ThreadStore {
    stores.delete(threadId)
    stores.set(threadId, store)
    for (const oldest of [...stores.keys()].slice(0, -KEPT)) stores.delete(oldest)
    return store
  }

  return {
    open: (threadId) => keep(threadId, stores.get(threadId) ?? createThreadStore({ baseUrl, threadId })),
    create() {
      const threadId = newThreadId()
      return { threadId, store: keep(threadId, createThreadStore({ baseUrl, threadId, isNew: true })) }
    },
  }
}
