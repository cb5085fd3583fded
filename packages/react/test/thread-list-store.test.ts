import type { Api, ListedThread, ThreadPage } from '@millrace/core/client'
import { holdsAsync } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createThreadListStore } from '../src/threads/thread-list-store.ts'

type Query = NonNullable<Parameters<Api['threads']>[0]>

interface Asked {
  readonly query: Query | 'open'
  readonly answer: (page: ThreadPage) => void
  readonly refuse: (error: unknown) => void
}

const PAGE = 3
const NO_FEED = { start() {}, stop() {}, retryNow() {} }
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A list whose requests are answered one by one, by a server whose threads carry the version of the request. */
function openList() {
  const asked: (Asked & { readonly version: number })[] = []
  let version = 0
  const ask = (query: Query | 'open') =>
    new Promise<ThreadPage>((answer, refuse) => {
      asked.push({ query, answer, refuse, version: ++version })
    })
  const api = { threads: ask, openThreads: async () => (await ask('open')).threads } as unknown as Api
  const list = createThreadListStore(api, () => NO_FEED)
  const answer = async (index: number, ends: 'answer' | 'refuse' = 'answer') => {
    const [request] = asked.splice(index, 1)
    if (request === undefined) return
    if (ends === 'refuse') request.refuse(new Error(`refused ${request.version}`))
    else request.answer(pageOf(request.query, request.version))
    await settle()
  }
  return { list, asked, answer }
}

const thread = (id: string, updatedAt: number, title: string): ListedThread => ({ id, updatedAt, title })

/** Every thread, every second and every third one: a thread is in several searches. */
const strides: { readonly [search: string]: number } = { all: 1, mill: 2, wheel: 3 }

/** Page by page. A title says which search asked for it, and when. */
function pageOf(query: Query | 'open', version: number): ThreadPage {
  if (query === 'open') return { threads: [] }
  const first = Number(query.after ?? 0)
  const name = query.search ?? 'all'
  const threads = Array.from({ length: PAGE }, (_, index) => {
    const number = (first + index) * (strides[name] ?? 1)
    return thread(String(number), 1_000 - number, `${name}@${version}`)
  })
  return { threads, ...(first < 2 * PAGE && { next: String(first + PAGE) }) }
}

type Opened = ReturnType<typeof openList>

const searchesIn = ({ list }: Opened) => new Set(list.snapshot().threads.map(({ title }) => title.split('@')[0]))
const versionOf = ({ list }: Opened) => Number(list.snapshot().threads[0]?.title.split('@')[1] ?? 0)

async function answerAll(opened: Opened): Promise<void> {
  while (opened.asked.length > 0) await opened.answer(0)
}

const step = fc.oneof(
  fc.record({ do: fc.constant('refresh' as const) }),
  fc.record({ do: fc.constant('more' as const) }),
  fc.record({ do: fc.constant('search' as const), text: fc.constantFrom('', 'mill', 'wheel') }),
  fc.record({
    do: fc.constant('answer' as const),
    index: fc.nat({ max: 5 }),
    ends: fc.constantFrom('answer' as const, 'answer' as const, 'refuse' as const),
  }),
  fc.record({ do: fc.constant('note' as const) }),
)

describe('the list of threads, whatever is answered first', () => {
  it('never mixes two searches, never goes back, and ends with what the server has', () =>
    holdsAsync(
      fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
        const opened = openList()
        const { list } = opened
        for (const each of steps) {
          const before = { versions: versionOf(opened), search: [...searchesIn(opened)][0] }
          if (each.do === 'refresh') void list.refresh()
          if (each.do === 'more') void list.more()
          if (each.do === 'search') list.search(each.text)
          if (each.do === 'note') list.note('0', { runs: [], chatEvents: [] })
          if (each.do === 'answer' && opened.asked.length > 0)
            await opened.answer(each.index % opened.asked.length, each.ends)
          expect(searchesIn(opened).size).toBeLessThanOrEqual(1)
          const [search] = searchesIn(opened)
          if (before.search === search) expect(versionOf(opened)).toBeGreaterThanOrEqual(before.versions)
          else expect(search).toBe(list.snapshot().search || 'all')
          expect(list.snapshot().error === undefined).toBe(list.snapshot().state !== 'failed')
        }
        await answerAll(opened)
        void list.refresh()
        await answerAll(opened)
        const { state, search, threads, hasMore } = list.snapshot()
        expect([state, ...searchesIn(opened)]).toEqual(['ready', search || 'all'])
        expect(threads.map(({ id }) => Number(id))).toEqual(
          threads.map((_, index) => index * (strides[search || 'all'] ?? 1)),
        )
        expect(hasMore).toBe(threads.length < 3 * PAGE)
        expect(list.snapshot()).not.toHaveProperty('error')
        while (list.snapshot().hasMore) {
          void list.more()
          expect(opened.asked).toHaveLength(1)
          await answerAll(opened)
        }
        expect(list.snapshot().threads).toHaveLength(3 * PAGE)
      }),
      150,
    ))

  it('shows the answers of a server that is slower than the rounds', async () => {
    const opened = openList()
    for (let round = 0; round < 4; round++) {
      void opened.list.refresh()
      if (round === 0) continue
      await opened.answer(0)
      await opened.answer(0)
      expect(opened.list.snapshot().state).toBe('ready')
    }
  })

  it('does not show a late failure over a newer answer, nor one of another search', async () => {
    const opened = openList()
    void opened.list.refresh()
    void opened.list.refresh()
    await opened.answer(3)
    await opened.answer(2)
    await opened.answer(0, 'refuse')
    expect(opened.list.snapshot()).toMatchObject({ state: 'ready', hasMore: true })
    void opened.list.more()
    opened.list.search('mill')
    await opened.answer(1, 'refuse')
    expect(opened.list.snapshot().state).toBe('ready')
  })

  it('loads each older page once, one after the other, also after a failure', async () => {
    const opened = openList()
    const { list } = opened
    void list.refresh()
    await answerAll(opened)
    for (const [ends, count] of [
      ['refuse', PAGE],
      ['answer', 2 * PAGE],
      ['answer', 3 * PAGE],
    ] as const) {
      const calls = [list.more(), list.more()]
      expect(opened.asked).toHaveLength(1)
      await opened.answer(0, ends)
      await Promise.all(calls)
      expect(list.snapshot().threads).toHaveLength(count)
    }
    await list.more()
    expect(opened.asked).toHaveLength(0)
  })

  it('loads older threads of a search that was begun while older ones of another were under way', async () => {
    const opened = openList()
    void opened.list.refresh()
    await answerAll(opened)
    for (const search of ['mill', 'wheel']) {
      void opened.list.more()
      opened.list.search(search)
      await answerAll(opened)
      void opened.list.more()
      await answerAll(opened)
      expect(opened.list.snapshot().threads.map(({ id }) => id)).toContain(String(PAGE * (strides[search] ?? 1)))
    }
  })

  it('keeps the threads of the search before until the server has answered', async () => {
    const opened = openList()
    void opened.list.refresh()
    await answerAll(opened)
    opened.list.search('mill')
    opened.list.note('0', { runs: [], chatEvents: [] })
    expect([...searchesIn(opened)]).toEqual(['all'])
    await opened.list.more()
    expect(opened.asked).toHaveLength(1)
    await answerAll(opened)
    expect([...searchesIn(opened)]).toEqual(['mill'])
  })

  it('forgets only the thread that was left', async () => {
    const opened = openList()
    const { list } = opened
    const stateOf = () => list.snapshot().threads[0]?.state
    const run = { id: 'r', threadId: '0', state: 'live', seq: 1 } as const
    void list.refresh()
    await answerAll(opened)
    for (const [left, expected] of [
      ['1', 'live'],
      ['0', 'empty'],
      ['1', 'live'],
    ] as const) {
      list.note('0', { runs: [run], chatEvents: [] })
      list.forget(left)
      void list.refresh()
      await answerAll(opened)
      expect(stateOf(), `after ${left} was left`).toBe(expected)
    }
  })

  it('tells each listener of each change until it leaves', async () => {
    const opened = openList()
    const [stays, leaves] = [vi.fn(), vi.fn()]
    opened.list.subscribe(stays)
    const leave = opened.list.subscribe(leaves)
    opened.list.search('mill')
    leave()
    await answerAll(opened)
    expect([leaves.mock.calls.length, stays.mock.calls.length]).toEqual([1, 2])
  })
})
