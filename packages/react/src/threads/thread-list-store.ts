import type { Api, Feed, FeedStatus, ListedThread, ListHandlers } from '@millrace/core/client'
import {
  type LoadedThreads,
  NO_THREADS,
  withChanged,
  withFirstPage,
  withNextPage,
  withoutThread,
  withThread,
} from './loaded-threads.ts'
import { summaryOf, type ThreadFacts, type ThreadSummary } from './summary.ts'

export interface ThreadListSnapshot {
  readonly search: string
  readonly threads: readonly ThreadSummary[]
  readonly state: 'loading' | 'ready' | 'failed'
  /** The server has older threads than these. */
  readonly hasMore: boolean
  readonly error?: unknown
}

/** The threads of a server, as its stream of the list has them. */
export interface ThreadListStore {
  snapshot(): ThreadListSnapshot
  subscribe(listener: () => void): () => void
  start(): void
  stop(): void
  search(text: string): void
  /** Sets what the page knows about a thread that is open on it: newer than any list. */
  note(threadId: string, facts: ThreadFacts): void
  /** The thread is no longer open: only the list has its state. */
  forget(threadId: string): void
  /** Requests the list, or the search, unless the stream keeps it current. */
  refresh(): Promise<void>
  /** Calls the listener with what the stream of the list says, whatever the list shows. Returns how to leave. */
  onChange(listener: (change: ThreadChange) => void): () => void
  /** Adds the next page of older threads. Resolves once it is added; a call meanwhile gets the same promise. */
  more(): Promise<void>
}

/** `begun`: the stream begins, or begins again; what was missed meanwhile is unknown. */
export type ThreadChange =
  | { readonly type: 'begun' }
  | { readonly type: 'thread'; readonly thread: ListedThread }
  | { readonly type: 'deleted'; readonly id: string }

/** How many threads a page has: the `limit` of the stream, too. */
export const THREADS_PER_PAGE = 60

/** Follows the list of the server, as `createThreadListFeed` does. */
export type FollowList = (handlers: ListHandlers, report: (status: FeedStatus) => void) => Feed

export function createThreadListStore(api: Api, follow: FollowList): ThreadListStore {
  const listeners = new Set<() => void>()
  const changeListeners = new Set<(change: ThreadChange) => void>()
  let current: ThreadListSnapshot = { search: '', threads: [], state: 'loading', hasMore: false }
  let rounds = 0
  /** The round whose answer is shown. A server that is slower than the rounds still gets its answers shown. */
  let shownRound = 0
  /** The list without a search. */
  let all: LoadedThreads | undefined
  /** Threads that are live or ask the user stay in the list, however many newer ones there are. */
  let runningThreads: readonly ListedThread[] = []
  /** The threads of a search. They stay until the next search is answered. */
  let found: Found | undefined
  /** Whether the stream keeps the list current: then no request for it is needed. */
  let isFollowed = false
  let loadingMore: Promise<void> | undefined
  let openOnPage: { readonly threadId: string; readonly facts: ThreadFacts } | undefined

  function show(next: Partial<ThreadListSnapshot>): void {
    const { error, ...before } = current
    // The error belongs to the state: it goes with the next state, not with any change.
    current = { ...before, ...(next.state === undefined && error !== undefined && { error }), ...next }
    for (const listener of [...listeners]) listener()
  }

  const shown = (): LoadedThreads => found?.loaded ?? withRunning(all ?? NO_THREADS, runningThreads)

  const summaries = () =>
    shown().threads.map((thread) =>
      summaryOf(thread, thread.id === openOnPage?.threadId ? openOnPage.facts : undefined),
    )

  const showLoaded = () => show({ threads: summaries(), hasMore: shown().next !== undefined, state: 'ready' })

  const queryOf = (search: string) => ({ limit: THREADS_PER_PAGE, ...(search !== '' && { search }) })

  /** What is loaded of a search, or of the list without one. */
  const loadedOf = (search: string) => (search === '' ? all : found?.search === search ? found.loaded : undefined)

  function setLoaded(search: string, loaded: LoadedThreads): void {
    if (search === '') all = loaded
    found = search === '' ? undefined : { search, loaded }
  }

  async function refresh(): Promise<void> {
    const { search } = current
    if (search === '' && isFollowed) return
    const round = ++rounds
    try {
      const [page, running] = await Promise.all([api.threads(queryOf(search)), search === '' ? api.openThreads() : []])
      if (isLate(round, search)) return
      shownRound = round
      setLoaded(search, withFirstPage(loadedOf(search) ?? NO_THREADS, page))
      if (search === '') runningThreads = running
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
      const loaded = loadedOf(search)
      // A search or a gap may have changed the next page.
      if (loaded?.next !== after || current.search !== search) return
      setLoaded(search, withNextPage(loaded, page))
      showLoaded()
    } catch (error) {
      if (current.search === search) show({ state: 'failed', error })
    } finally {
      loadingMore = undefined
    }
  }

  /** Changes what is loaded of the list and of the search. */
  function change(update: (loaded: LoadedThreads) => LoadedThreads, updateFound = update): void {
    all = update(all ?? NO_THREADS)
    found = found && { ...found, loaded: updateFound(found.loaded) }
    showLoaded()
  }

  function report(threadChange: ThreadChange): 'more' {
    for (const listener of [...changeListeners]) listener(threadChange)
    return 'more'
  }

  const feed = follow(
    {
      threads(page) {
        isFollowed = true
        // Answers to earlier requests are older than the page.
        shownRound = ++rounds
        runningThreads = []
        if (current.search === '') found = undefined
        change(
          (loaded) => withFirstPage(loaded, page),
          (same) => same,
        )
        return report({ type: 'begun' })
      },
      thread(thread) {
        runningThreads = [...runningThreads.filter(({ id }) => id !== thread.id), ...(isOpen(thread) ? [thread] : [])]
        change(
          (loaded) => withThread(loaded, thread),
          (loaded) => withChanged(loaded, thread),
        )
        return report({ type: 'thread', thread })
      },
      deleted({ id }) {
        runningThreads = runningThreads.filter((thread) => thread.id !== id)
        change((loaded) => withoutThread(loaded, id))
        return report({ type: 'deleted', id })
      },
    },
    ({ connection, error }) => {
      if (error === undefined) return
      isFollowed = false
      // An older server has no stream of the list.
      if (error.code === 'no-stream') void refresh()
      else if (connection !== 'connecting') show({ state: 'failed', error })
    },
  )

  return {
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    onChange(listener) {
      changeListeners.add(listener)
      return () => {
        changeListeners.delete(listener)
      }
    },
    start: feed.start,
    stop() {
      isFollowed = false
      feed.stop()
    },
    search(text) {
      if (text === '' && all !== undefined) found = undefined
      show({ search: text, threads: summaries(), hasMore: shown().next !== undefined })
      void refresh()
    },
    note(threadId, facts) {
      openOnPage = { threadId, facts }
      if (current.state === 'ready') show({ threads: summaries() })
    },
    forget(threadId) {
      if (openOnPage?.threadId !== threadId) return
      openOnPage = undefined
      if (current.state === 'ready') show({ threads: summaries() })
    },
    refresh,
    async more() {
      const next = loadedOf(current.search)?.next
      if (next !== undefined) loadingMore ??= loadMore(next)
      await loadingMore
    },
  }
}

interface Found {
  readonly search: string
  readonly loaded: LoadedThreads
}

/** Running threads that are too old for the loaded pages follow them. */
function withRunning(loaded: LoadedThreads, running: readonly ListedThread[]): LoadedThreads {
  return { ...withNextPage(loaded, { threads: running }), next: loaded.next }
}

const isOpen = ({ lastRun }: ListedThread) => lastRun !== undefined && lastRun.state !== 'ended'
