import { ApiError, createApi, type ListedThread } from '@millrace/core/client'
import { describe, expect, it, vi } from 'vitest'
import { createThreadListStore, type FollowList } from './thread-list-store.ts'

const lastRun = { id: 'r', state: 'live', format: 'agent-lines', seq: 3, createdAt: 1, asks: true } as const
const asking: ListedThread = { id: 'asking', title: 'One', updatedAt: 2, lastRun }
const quiet: ListedThread = { id: 'quiet', title: 'Two', updatedAt: 1 }

/** An older server has no stream of the list. */
const NO_FEED = { start() {}, stop() {}, retryNow() {} }

/** A server that has these threads, and the requests it has received. */
function createServer(threads: readonly ListedThread[], page = threads.length) {
  const asked: string[] = []
  const server = { threads }
  const fetch = async (url: string) => {
    asked.push(url)
    const query = new URL(url, 'http://127.0.0.1').searchParams
    const open = server.threads.filter((thread) => thread.lastRun?.state === 'live')
    if (query.get('open') === 'true') return Response.json({ threads: open })
    const start = server.threads.findIndex(({ id }) => id === query.get('after')) + 1
    const shown = server.threads.slice(start, start + page)
    const next = start + page < server.threads.length ? shown.at(-1)?.id : undefined
    return Response.json({ threads: shown, next })
  }
  const list = createThreadListStore(createApi({ baseUrl: '', fetch }), () => NO_FEED)
  return { asked, server, list }
}

const statesOf = ({ snapshot }: ReturnType<typeof createThreadListStore>) =>
  snapshot().threads.map(({ id, state }) => `${id} ${state}`)

describe('the list of threads', () => {
  it('has the state of each thread and requests only the list', async () => {
    const { list, asked } = createServer([asking, quiet])
    await list.refresh()
    await list.refresh()
    expect(statesOf(list)).toEqual(['asking needs-you', 'quiet empty'])
    const once = ['/api/threads?limit=60', '/api/threads?open=true']
    expect(asked).toEqual([...once, ...once])
  })

  it('uses the state that the page has of an open thread, until it is left', async () => {
    const { list } = createServer([asking])
    await list.refresh()
    const run = { id: 'r', threadId: 'asking', state: 'ended', outcome: 'cancelled', seq: 5 } as const
    list.note('asking', { runs: [run], chatEvents: [] })
    expect(statesOf(list)).toEqual(['asking cancelled'])
    list.forget('asking')
    await list.refresh()
    expect(statesOf(list)).toEqual(['asking needs-you'])
  })

  it('reaches every thread page by page, with one request for each', async () => {
    const many = Array.from({ length: 7 }, (_, index): ListedThread => {
      return { id: `t${9 - index}`, title: '', updatedAt: 100 - index }
    })
    const { list, asked } = createServer(many, 3)
    await list.refresh()
    expect([list.snapshot().threads.length, list.snapshot().hasMore]).toEqual([3, true])
    await Promise.all([list.more(), list.more()])
    expect(list.snapshot().threads.length).toBe(6)
    await list.refresh()
    await list.more()
    expect(list.snapshot().threads.map(({ id }) => id)).toEqual(many.map(({ id }) => id))
    expect(list.snapshot().hasMore).toBe(false)
    await list.more()
    expect(asked.filter((url) => url.includes('after='))).toHaveLength(2)
  })

  it('keeps a thread that is live or asks, however many newer ones there are', async () => {
    const newer = Array.from({ length: 4 }, (_, index): ListedThread => {
      return { id: `n${index}`, title: '', updatedAt: 100 - index }
    })
    const { list } = createServer([...newer, asking], 2)
    await list.refresh()
    expect(statesOf(list)).toEqual(['n0 empty', 'n1 empty', 'asking needs-you'])
  })

  it('starts again with another search, and then requests no open threads', async () => {
    const { list, asked } = createServer([asking, quiet])
    await list.refresh()
    list.search('two')
    await vi.waitFor(() => expect(asked.at(-1)).toBe('/api/threads?limit=60&search=two'))
  })
})

/** A list whose stream the test writes. */
function createFollowed(threads: readonly ListedThread[], next?: string) {
  const asked: string[] = []
  const feeds: Parameters<FollowList>[] = []
  const calls = { starts: 0, stops: 0 }
  const fetch = async (url: string) => {
    asked.push(url)
    return Response.json({ threads: threads.filter(({ title }) => url.includes(`search=${title}`)) })
  }
  const list = createThreadListStore(createApi({ baseUrl: '', fetch }), (...feed) => {
    feeds.push(feed)
    return { start: () => calls.starts++, stop: () => calls.stops++, retryNow() {} }
  })
  const [handlers, report] = feeds[0] as Parameters<FollowList>
  const page = next === undefined ? { threads } : { threads, next }
  list.start()
  handlers.threads(page)
  return { list, asked, handlers, report, page, calls }
}

const ended = { ...lastRun, state: 'ended', outcome: 'success', asks: false } as const

describe('the stream of the list', () => {
  it('shows threads that are new, changed or deleted, in their order, without a request', async () => {
    const { list, asked, handlers } = createFollowed([asking, quiet])
    expect(statesOf(list)).toEqual(['asking needs-you', 'quiet empty'])
    handlers.thread({ id: 'new', title: '', updatedAt: 3 })
    handlers.thread({ ...asking, lastRun: ended })
    expect(statesOf(list)).toEqual(['new empty', 'asking done', 'quiet empty'])
    handlers.thread({ ...quiet, updatedAt: 4, lastRun: { ...lastRun, asks: false } })
    handlers.deleted({ id: 'new' })
    expect(statesOf(list)).toEqual(['quiet live', 'asking done'])
    await list.refresh()
    expect(asked).toEqual([])
  })

  it('keeps a thread that is too old for the pages while its run is open', () => {
    const { list, handlers, page } = createFollowed([asking], 'more')
    const old: ListedThread = { id: 'old', title: '', updatedAt: 0, lastRun }
    handlers.thread(old)
    expect(statesOf(list)).toEqual(['asking needs-you', 'old needs-you'])
    expect(list.snapshot().hasMore).toBe(true)
    handlers.thread({ ...old, lastRun: ended })
    expect(statesOf(list)).toEqual(['asking needs-you'])
    handlers.thread(old)
    handlers.threads(page)
    expect(statesOf(list)).toEqual(['asking needs-you'])
  })

  it('changes the rows of a search where they are, and shows everything at once when the search is over', async () => {
    const { list, handlers } = createFollowed([asking, quiet])
    list.search('Two')
    await vi.waitFor(() => expect(statesOf(list)).toEqual(['quiet empty']))
    handlers.thread({ id: 'new', title: '', updatedAt: 3 })
    handlers.thread({ ...quiet, lastRun: ended })
    expect(statesOf(list)).toEqual(['quiet done'])
    list.search('')
    expect(statesOf(list)).toEqual(['new empty', 'asking needs-you', 'quiet done'])
  })

  it('shows why it is cut until it is back, and asks an older server itself', async () => {
    const { list, asked, handlers, report, page } = createFollowed([asking])
    const error = new ApiError(0, 'no-answer', 'Gone.')
    report({ connection: 'waiting', error })
    expect(list.snapshot()).toMatchObject({ state: 'failed', error })
    report({ connection: 'connecting' })
    expect(list.snapshot().state).toBe('failed')
    handlers.threads(page)
    expect(list.snapshot().state).toBe('ready')
    expect(list.snapshot()).not.toHaveProperty('error')
    report({ connection: 'failed', error: new ApiError(200, 'no-stream', 'Older.') })
    expect(asked).toEqual(['/api/threads?limit=60', '/api/threads?open=true'])
  })

  it('does not show the answer to a request that is older than the stream', async () => {
    const { list, handlers, report, page } = createFollowed([asking])
    report({ connection: 'waiting', error: new ApiError(0, 'no-answer', 'Gone.') })
    const answered = list.refresh()
    handlers.threads(page)
    await answered
    expect(statesOf(list)).toEqual(['asking needs-you'])
  })

  it('is followed from start to stop', () => {
    const { list, calls } = createFollowed([])
    list.stop()
    expect(calls).toEqual({ starts: 1, stops: 1 })
  })
})
