import type { Api, ListedThread } from '@millrace/core/client'
import { type LoadedThreads, NO_THREADS, withFirstPage, withNextPage } from './loaded-threads.ts'
import { summaryOf, type ThreadFacts, type ThreadSummary } from './summary.ts'

interface ThreadListSnapshot {
  readonly search: string
  readonly threads: readonly ThreadSummary[]
  readonly state: 'loading' | 'ready' | 'failed'
  /** The server has older threads than these. */
  readonly hasMore: boolean
  readonly error?: unknown
}

/** The threads of the rail, requested periodically while the page is visible. */
export interface ThreadList {
  snapshot(): ThreadListSnapshot
  subscribe(listener: () => void): () => void
  start(): void
  stop(): void
  search(text: string): void
  /** Sets what the page knows about a thread that is open on it: newer than any list. */
  note(threadId: string, facts: ThreadFacts): void
  /** The thread is no longer open: only the list has its state. */
  forget(threadId: string): void
  refresh(): Promise<void>
  /** Adds the next page of older threads. Resolves once it is added; a call meanwhile gets the same promise. */
  more(): Promise<void>
}

const EVERY = 3_000
const PAGE = 60

export function createThreadList(api: Api): ThreadList {
  const listeners = new Set<() => void>()
  let current: ThreadListSnapshot = { search: '', threads: [], state: 'loading', hasMore: false }
  let timer: ReturnType<typeof setInterval> | undefined
  let rounds = 0
  let loaded: LoadedThreads = NO_THREADS
  /** Threads that are live or ask the user stay in the list, however many newer ones there are. */
  let runningThreads: readonly ListedThread[] = []
  let loadingMore: Promise<void> | undefined
  let openOnPage: { readonly threadId: string; readonly facts: ThreadFacts } | undefined

  function show(next: Partial<ThreadListSnapshot>): void {
    const { error: _gone, ...before } = current
    current = { ...before, ...next }
    for (const listener of [...listeners]) listener()
  }

  const summaries = () =>
    withNextPage(loaded, { threads: runningThreads }).threads.map((thread) =>
      summaryOf(thread, thread.id === openOnPage?.threadId ? openOnPage.facts : undefined),
    )

  const showLoaded = () => show({ threads: summaries(), hasMore: loaded.next !== undefined, state: 'ready' })

  const queryOf = (search: string) => ({ limit: PAGE, ...(search !== '' && { search }) })

  async function refresh(): Promise<void> {
    const round = ++rounds
    const { search } = current
    try {
      const [page, running] = await Promise.all([api.threads(queryOf(search)), search === '' ? api.openThreads() : []])
      if (round !== rounds) return
      loaded = withFirstPage(loaded, page)
      runningThreads = running
      showLoaded()
    } catch (error) {
      if (round === rounds) show({ state: 'failed', error })
    }
  }

  async function loadMore(after: string): Promise<void> {
    const { search } = current
    try {
      const page = await api.threads({ ...queryOf(search), after })
      // A search or a gap may have changed the next page.
      if (loaded.next !== after || current.search !== search) return
      loaded = withNextPage(loaded, page)
      showLoaded()
    } catch (error) {
      show({ state: 'failed', error })
    } finally {
      loadingMore = undefined
    }
  }

  const refreshIfSeen = () => {
    if (document.visibilityState === 'visible') void refresh()
  }

  return {
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    start() {
      if (timer !== undefined) return
      timer = setInterval(refreshIfSeen, EVERY)
      document.addEventListener('visibilitychange', refreshIfSeen)
      void refresh()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
      document.removeEventListener('visibilitychange', refreshIfSeen)
    },
    search(text) {
      if (text !== current.search) loaded = NO_THREADS
      show({ search: text })
      void refresh()
    },
    note(threadId, facts) {
      openOnPage = { threadId, facts }
      if (current.state === 'ready') show({ threads: summaries() })
    },
    forget(threadId) {
      if (openOnPage?.threadId === threadId) openOnPage = undefined
    },
    refresh,
    async more() {
      if (loaded.next !== undefined) loadingMore ??= loadMore(loaded.next)
      await loadingMore
    },
  }
}
