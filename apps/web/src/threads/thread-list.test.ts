import { createApi, type ListedThread } from '@millrace/core/client'
import { describe, expect, it, vi } from 'vitest'
import { createThreadList } from './thread-list.ts'

const lastRun = { id: 'r', state: 'live', format: 'agent-lines', seq: 3, createdAt: 1, asks: true } as const
const asking: ListedThread = { id: 'asking', title: 'One', updatedAt: 2, lastRun }
const quiet: ListedThread = { id: 'quiet', title: 'Two', updatedAt: 1 }

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
  return { asked, server, list: createThreadList(createApi({ baseUrl: '', fetch })) }
}

const statesOf = ({ snapshot }: ReturnType<typeof createThreadList>) =>
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
    expect(statesOf(list)).toEqual(['asking stopped'])
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
