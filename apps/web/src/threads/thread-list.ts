import type { Api, ListedThread } from '@millrace/core/client'
import { type KnownThreads, NO_THREADS, withFirstPage, withNextPage } from './known-threads.ts'
import { summaryOf, type ThreadFacts, type ThreadSummary } from './summary.ts'

interface ThreadListView {
  readonly search: string
  readonly threads: readonly ThreadSummary[]
  readonly state: 'loading' | 'ready' | 'failed'
  /** The server has older threads than these. */
  readonly hasMore: boolean
  readonly error?: unknown
}

/** The threads of the rail: asked for again and again while the page is looked at. */
export interface ThreadList {
  snapshot(): ThreadListView
  subscribe(listener: () => void): () => void
  start(): void
  stop(): void
  search(text: string): void
  /** What is known of a thread that is open on this page, newer than any list. */
  note(threadId: string, facts: ThreadFacts): void
  /** The thread is not open any more: only the list tells of it. */
  forget(threadId: string): void
  refresh(): Promise<void>
  /** Adds the next page of older threads. Resolves once it is there; a call meanwhile gets the same one. */
  more(): Promise<void>
}

const EVERY = 3_000
const PAGE = 60

export function createThreadList(api: Api): ThreadList {
  const listeners = new Set<() => void>()
  let view: ThreadListView = { search: '', threads: [], state: 'loading', hasMore: false }
  let timer: ReturnType<typeof setInterval> | undefined
  let rounds = 0
  let known: KnownThreads = NO_THREADS
  /** Threads that call a person or live stay in the list, however many newer ones there are. */
  let open: readonly ListedThread[] = []
  let loadingMore: Promise<void> | undefined
  let opened: { readonly threadId: string; readonly facts: ThreadFacts } | undefined

  function show(next: Partial<ThreadListView>): void {
    const { error: _gone, ...before } = view
    view = { ...before, ...next }
    for (const listener of [...listeners]) listener()
  }

  const summaries = () =>
    withNextPage(known, { threads: open }).threads.map((thread) =>
      summaryOf(thread, thread.id === opened?.threadId ? opened.facts : undefined),
    )

  const showKnown = () => show({ threads: summaries(), hasMore: known.next !== undefined, state: 'ready' })

  const queryOf = (search: string) => ({ limit: PAGE, ...(search !== '' && { search }) })

  async function refresh(): Promise<void> {
    const round = ++rounds
    const { search } = view
    try {
      const [page, stillOpen] = await Promise.all([
        api.threads(queryOf(search)),
        search === '' ? api.openThreads() : [],
      ])
      if (round !== rounds) return
      known = withFirstPage(known, page)
      open = stillOpen
      showKnown()
    } catch (error) {
      if (round === rounds) show({ state: 'failed', error })
    }
  }

  async function loadMore(after: string): Promise<void> {
    const { search } = view
    try {
      const page = await api.threads({ ...queryOf(search), after })
      // A search or a gap may have changed what comes next.
      if (known.next !== after || view.search !== search) return
      known = withNextPage(known, page)
      showKnown()
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
    snapshot: () => view,
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
      if (text !== view.search) known = NO_THREADS
      show({ search: text })
      void refresh()
    },
    note(threadId, facts) {
      opened = { threadId, facts }
      if (view.state === 'ready') show({ threads: summaries() })
    },
    forget(threadId) {
      if (opened?.threadId === threadId) opened = undefined
    },
    refresh,
    async more() {
      if (known.next !== undefined) loadingMore ??= loadMore(known.next)
      await loadingMore
    },
  }
}
