import { createApi, type ListedThread } from '@millrace/core/client'
import { describe, expect, it } from 'vitest'
import { createThreadList } from './thread-list.ts'

const lastRun = { id: 'r', state: 'live', format: 'agent-lines', seq: 3, createdAt: 1, asks: true } as const
const asking: ListedThread = { id: 'asking', title: 'One', updatedAt: 2, lastRun }
const quiet: ListedThread = { id: 'quiet', title: 'Two', updatedAt: 1 }

/** A server that has these threads, and what it was asked for. */
function createServer(threads: readonly ListedThread[]) {
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    return Response.json({ threads })
  }
  return { asked, list: createThreadList(createApi({ baseUrl: '', fetch })) }
}

const statesOf = ({ snapshot }: ReturnType<typeof createThreadList>) =>
  snapshot().threads.map(({ id, state }) => `${id} ${state}`)

describe('the list of threads', () => {
  it('says how each one stands and asks the server for nothing but the list', async () => {
    const { list, asked } = createServer([asking, quiet])
    await list.refresh()
    await list.refresh()
    expect(statesOf(list)).toEqual(['asking needs-you', 'quiet empty'])
    expect(asked).toEqual(['/api/threads?limit=60', '/api/threads?limit=60'])
  })

  it('believes the page about a thread that is open on it, until it is left', async () => {
    const { list } = createServer([asking])
    await list.refresh()
    const run = { id: 'r', threadId: 'asking', state: 'ended', outcome: 'cancelled', seq: 5 } as const
    list.note('asking', { runs: [run], chatEvents: [] })
    expect(statesOf(list)).toEqual(['asking stopped'])
    list.forget('asking')
    await list.refresh()
    expect(statesOf(list)).toEqual(['asking needs-you'])
  })
})
