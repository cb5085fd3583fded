import type { Api, ThreadInfo } from '@millrace/core/client'
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
  refresh(): Promise<void>
}

interface Known {
  /** Of the thread when it was asked for. */
  readonly updatedAt: number | undefined
  readonly facts: ThreadFacts
}

const EVERY = 3_000
const LISTED = 60
const AT_ONCE = 4

export function createThreadList(api: Api): ThreadList {
  const listeners = new Set<() => void>()
  const details = new Map<string, Known>()
  let view: ThreadListView = { search: '', threads: [], state: 'loading' }
  let timer: ReturnType<typeof setInterval> | undefined
  let rounds = 0
  let listed: readonly ThreadInfo[] = []
  let opened: string | undefined

  function show(next: Partial<ThreadListView>): void {
    const { error: _gone, ...before } = view
    view = { ...before, ...next }
    for (const listener of [...listeners]) listener()
  }

  const summaries = (threads: readonly ThreadInfo[]) =>
    threads.map((thread) => summaryOf(thread, details.get(thread.id)?.facts))

  /** The list names threads only, so how each one stands is asked for where it may have changed. */
  async function learn(threads: readonly ThreadInfo[]): Promise<void> {
    const queue = threads.filter(({ id, updatedAt }) => {
      if (id === opened) return false
      const known = details.get(id)
      return known?.updatedAt !== updatedAt || known?.facts.runs.at(-1)?.state !== 'ended'
    })
    const work = async () => {
      for (let thread = queue.shift(); thread !== undefined; thread = queue.shift()) {
        const { id, updatedAt } = thread
        // A thread may be gone by the time that it is asked for: then the next round does not list it.
        const facts = await api.thread(id).catch(() => undefined)
        if (facts !== undefined && opened !== id) details.set(id, { updatedAt, facts })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  async function refresh(): Promise<void> {
    const round = ++rounds
    const { search } = view
    try {
      const { threads } = await api.threads({ limit: LISTED, ...(search !== '' && { search }) })
      if (round !== rounds) return
      listed = threads
      show({ threads: summaries(threads), state: 'ready' })
      await learn(threads)
      if (round === rounds) show({ threads: summaries(threads), state: 'ready' })
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
      opened = threadId
      const updatedAt = listed.find(({ id }) => id === threadId)?.updatedAt
      details.set(threadId, { updatedAt, facts })
      if (view.state === 'ready') show({ threads: summaries(listed) })
    },
    refresh,
  }
}
