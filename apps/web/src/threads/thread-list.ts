import type { Api, ListedThread } from '@millrace/core/client'
import { summaryOf, type ThreadFacts, type ThreadSummary } from './summary.ts'

interface ThreadListView {
  readonly search: string
  readonly threads: readonly ThreadSummary[]
  readonly state: 'loading' | 'ready' | 'failed'
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
}

const EVERY = 3_000
const LISTED = 60

export function createThreadList(api: Api): ThreadList {
  const listeners = new Set<() => void>()
  let view: ThreadListView = { search: '', threads: [], state: 'loading' }
  let timer: ReturnType<typeof setInterval> | undefined
  let rounds = 0
  let listed: readonly ListedThread[] = []
  let opened: { readonly threadId: string; readonly facts: ThreadFacts } | undefined

  function show(next: Partial<ThreadListView>): void {
    const { error: _gone, ...before } = view
    view = { ...before, ...next }
    for (const listener of [...listeners]) listener()
  }

  const summaries = (threads: readonly ListedThread[]) =>
    threads.map((thread) => summaryOf(thread, thread.id === opened?.threadId ? opened.facts : undefined))

  async function refresh(): Promise<void> {
    const round = ++rounds
    const { search } = view
    try {
      const { threads } = await api.threads({ limit: LISTED, ...(search !== '' && { search }) })
      if (round !== rounds) return
      listed = threads
      show({ threads: summaries(threads), state: 'ready' })
    } catch (error) {
      if (round === rounds) show({ state: 'failed', error })
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
      show({ search: text })
      void refresh()
    },
    note(threadId, facts) {
      opened = { threadId, facts }
      if (view.state === 'ready') show({ threads: summaries(listed) })
    },
    forget(threadId) {
      if (opened?.threadId === threadId) opened = undefined
    },
    refresh,
  }
}
