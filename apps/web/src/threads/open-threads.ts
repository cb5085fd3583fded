import { createThreadStore, type ThreadStore } from '@millrace/core/client'

/** The thread stores of this page: a thread that was left a moment ago is there at once. */
export interface OpenThreads {
  /** The store of a thread, made if need be. */
  open(threadId: string): ThreadStore
  /** A thread that the server learns of with its first run. */
  create(): { readonly threadId: string; readonly store: ThreadStore }
}

const KEPT = 4

const RANDOM_BYTES = 18

export function createOpenThreads(): OpenThreads {
  const stores = new Map<string, ThreadStore>()

  function keep(threadId: string, store: ThreadStore): ThreadStore {
    stores.delete(threadId)
    stores.set(threadId, store)
    for (const oldest of [...stores.keys()].slice(0, -KEPT)) stores.delete(oldest)
    return store
  }

  return {
    open: (threadId) => keep(threadId, stores.get(threadId) ?? createThreadStore({ baseUrl: '', threadId })),
    create() {
      const threadId = newThreadId()
      return { threadId, store: keep(threadId, createThreadStore({ baseUrl: '', threadId, isNew: true })) }
    },
  }
}

/** An id that nobody guesses, allocated before the server has heard of the thread: 144 random bits. */
function newThreadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  return `thread_${btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')}`
}
