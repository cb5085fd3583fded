import type { Api, ListedThread, RunFilter, ThreadPage } from '@millrace/core/client'
import { describe, expect, it } from 'vitest'
import { createRunListStore } from './run-list-store.ts'
import type { ThreadChange } from './thread-list-store.ts'

const thread = (id: string, updatedAt: number, outcome: 'success' | 'error' = 'success'): ListedThread => ({
  id,
  title: id,
  updatedAt,
  lastRun: { id: `run ${id}`, state: 'ended', outcome, seq: 1, createdAt: updatedAt, asks: false },
})

type Query = RunFilter & { readonly after?: string }

/** A server that answers when the test says so, and a list whose stream the test speaks for. */
function stage() {
  const asked: { readonly query: Query; answer(page: ThreadPage): void; refuse(error: unknown): void }[] = []
  const listeners = new Set<(change: ThreadChange) => void>()
  const api: Pick<Api, 'runs'> = {
    runs: (query) =>
      new Promise((resolve, reject) => {
        asked.push({ query, answer: resolve, refuse: reject })
      }),
  }
  const list = {
    onChange(listener: (change: ThreadChange) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const store = createRunListStore(api, list)
  const stop = store.start()
  const say = (change: ThreadChange) => {
    for (const listener of [...listeners]) listener(change)
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  const shown = () => {
    const { threads, state, hasMore } = store.snapshot()
    return `${threads.map(({ id }) => id).join(' ')} ${state}${hasMore ? ' more' : ''}`
  }
  return { store, stop, asked, say, settled, shown, listeners }
}

describe('a list of runs', () => {
  it('adds pages, and one page for several calls', async () => {
    const { store, asked, settled, shown } = stage()
    asked[0]?.answer({ threads: [thread('a', 9), thread('b', 8)], next: 'b' })
    await settled()
    expect(shown()).toBe('a b ready more')
    void store.more()
    void store.more()
    expect(asked.map(({ query }) => query.after)).toEqual([undefined, 'b'])
    asked[1]?.answer({ threads: [thread('c', 7)] })
    await settled()
    expect(shown()).toBe('a b c ready')
    await store.more()
    expect(asked.length).toBe(2)
  })

  it('follows the stream: what satisfies the filter comes at its place, what does not any more goes', async () => {
    const { store, asked, say, settled, shown } = stage()
    store.show({ state: 'failed' })
    asked[0]?.answer({ threads: [thread('late', 99)] })
    asked[1]?.answer({ threads: [thread('b', 8, 'error'), thread('d', 6, 'error')] })
    await settled()
    expect(shown()).toBe('b d ready')
    say({ type: 'thread', thread: thread('c', 7, 'error') })
    say({ type: 'thread', thread: thread('other', 10) })
    expect(shown()).toBe('b c d ready')
    say({ type: 'thread', thread: thread('b', 11) })
    say({ type: 'deleted', id: 'd' })
    expect(shown()).toBe('c ready')
  })

  it('asks again when the stream begins again, and keeps what it shows if that fails', async () => {
    const { asked, say, settled, shown, store } = stage()
    asked[0]?.answer({ threads: [thread('a', 9)] })
    await settled()
    say({ type: 'begun' })
    asked[1]?.refuse(new Error('no'))
    await settled()
    expect([shown(), store.snapshot().error instanceof Error]).toEqual(['a failed', true])
    say({ type: 'begun' })
    asked[2]?.answer({ threads: [thread('z', 12), thread('a', 9)] })
    await settled()
    expect([shown(), store.snapshot().error]).toEqual(['z a ready', undefined])
  })

  it('shows nothing more once it is stopped', async () => {
    const { stop, asked, settled, shown, listeners } = stage()
    stop()
    asked[0]?.answer({ threads: [thread('a', 9)] })
    await settled()
    expect([shown(), listeners.size]).toEqual([' loading', 0])
  })
})
