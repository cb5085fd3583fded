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
  /** The round whose answer is shown. A server that is slower than the rounds still gets its answers shown. */
  let shownRound = 0
  let loaded: LoadedThreads = NO_THREADS
  /** The search that `loaded` answers. The threads of the one before stay until the server has answered. */
  let loadedSearch = ''
  /** Threads that are live or ask the user stay in the list, however many newer ones there are. */
  let runningThreads: readonly ListedThread[] = []
  let loadingMore: Promise<void> | undefined
  let openOnPage: { readonly threadId: string; readonly facts: ThreadFacts } | undefined

  function show(next: Partial<ThreadListSnapshot>): void {
    const { error, ...before } = current
    // The error belongs to the state: it goes with the next state, not with any change.
    current = { ...before, ...(next.state === undefined && error !== undefined && { error }), ...next }
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
      if (isLate(round, search)) return
      shownRound = round
      loaded = withFirstPage(loadedSearch === search ? loaded : NO_THREADS, page)
      loadedSearch = search
      runningThreads = running
      showLoaded()
    } catch (error) {
      if (isLate(round, search)) return
      shownRound = round
      show({ state: 'failed', error })
    }
  }

  /** A newer round was answered first, or another search was begun. */
  const isLate = (round: number, search: string) => round < shownRound || search !== current.search

  async function loadMore(after: string): Promise<void> {
    const { search } = current
    try {
      const page = await api.threads({ ...queryOf(search), after })
      // A search or a gap may have changed the next page.
      if (loaded.next !== after || loadedSearch !== search || current.search !== search) return
      loaded = withNextPage(loaded, page)
      showLoaded()
    } catch (error) {
      if (current.search === search) show({ state: 'failed', error })
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
      if (loaded.next !== undefined && loadedSearch === current.search) loadingMore ??= loadMore(loaded.next)
      await loadingMore
    },
  }
}
