import { type Api, isListed, type ListedThread, type RunFilter } from '@millrace/core/client'
import {
  type LoadedThreads,
  NO_THREADS,
  withFirstPage,
  withNextPage,
  withoutThread,
  withThread,
} from './loaded-threads.ts'
import type { ThreadListStore } from './thread-list-store.ts'

export interface RunListSnapshot {
  readonly filter: RunFilter
  readonly threads: readonly ListedThread[]
  readonly state: 'loading' | 'ready' | 'failed'
  /** The server may have older threads that satisfy the filter. */
  readonly hasMore: boolean
  readonly error?: unknown
}

/** The threads that satisfy a filter, newest first, a page at a time. The stream of the list keeps them current. */
export interface RunListStore {
  snapshot(): RunListSnapshot
  subscribe(listener: () => void): () => void
  /** Follows the list and reads the first page. Returns how to stop. */
  start(): () => void
  /** Shows the threads that satisfy another filter. */
  show(filter: RunFilter): void
  /** Adds the next page. A call meanwhile gets the same promise. */
  more(): Promise<void>
  refresh(): Promise<void>
}

const PER_PAGE = 60

export function createRunListStore(
  api: Pick<Api, 'runs'>,
  list: Pick<ThreadListStore, 'onChange'>,
  wanted: RunFilter = {},
): RunListStore {
  const listeners = new Set<() => void>()
  let loaded: LoadedThreads = NO_THREADS
  let current: RunListSnapshot = { filter: wanted, threads: [], state: 'loading', hasMore: false }
  /** Answers to earlier requests than the newest first page are late. */
  let round = 0
  let loadingMore: Promise<void> | undefined

  function publish(next: RunListSnapshot): void {
    current = next
    for (const listener of [...listeners]) listener()
  }

  const showLoaded = () =>
    publish({ filter: current.filter, threads: loaded.threads, state: 'ready', hasMore: loaded.next !== undefined })

  async function request(after: string | undefined, put: (page: LoadedThreads) => LoadedThreads): Promise<void> {
    const own = after === undefined ? ++round : round
    const { filter } = current
    try {
      const page = await api.runs({ ...filter, limit: PER_PAGE, ...(after !== undefined && { after }) })
      if (own !== round) return
      loaded = put({ threads: page.threads, next: page.next })
      showLoaded()
    } catch (error) {
      if (own === round) publish({ ...current, state: 'failed', error })
    }
  }

  const refresh = () => request(undefined, (page) => withFirstPage(loaded, pageOf(page)))

  function show(filter: RunFilter): void {
    loaded = NO_THREADS
    publish({ filter, threads: [], state: 'loading', hasMore: false })
    void refresh()
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
      const leave = list.onChange((change) => {
        if (change.type === 'begun') void refresh()
        else {
          const { thread, id } =
            change.type === 'thread'
              ? { thread: change.thread, id: change.thread.id }
              : { id: change.id, thread: undefined }
          const isShown = thread !== undefined && isListed(thread, current.filter)
          loaded = isShown ? withThread(loaded, thread) : withoutThread(loaded, id)
          if (current.state !== 'loading') showLoaded()
        }
      })
      void refresh()
      return () => {
        leave()
        round++
      }
    },
    show,
    refresh,
    async more() {
      const { next } = loaded
      if (next === undefined) return
      loadingMore ??= request(next, (page) => withNextPage(loaded, pageOf(page))).finally(() => {
        loadingMore = undefined
      })
      await loadingMore
    },
  }
}

const pageOf = ({ threads, next }: LoadedThreads) => ({ threads, ...(next !== undefined && { next }) })
