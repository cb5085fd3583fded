import type { Overview, ThreadPage } from '@millrace/core/api'
import { describe, expect, it } from 'vitest'
import { type Serving, startServer, until } from './serving.ts'

const line = (record: object) => `${JSON.stringify(record)}\n`
const said = (content: string) => line({ type: 'text', data: { content } })
const DONE = line({ type: 'done', data: {} })
const json = async <Answer>(response: Response | Promise<Response>) => (await (await response).json()) as Answer

const post = ({ ask }: Serving, query: string, body: string) =>
  ask(`/api/ingest?format=agent-lines&${query}`, { method: 'POST', body })

const titleOf = async ({ log }: Serving, threadId: string) => (await log.thread(threadId))?.title
const list = (server: Serving, query = '') => json<ThreadPage>(server.ask(`/api/runs?${query}`))
const idsOf = ({ threads }: ThreadPage) => threads.map(({ id }) => id)

/** All of these threads have digests. */
const digested = (server: Serving, count: number) =>
  until(async () => (await list(server)).threads.filter(({ lastRun }) => lastRun?.digest).length === count)

describe('a stream that is taken in', () => {
  it('gives its thread a title as soon as it has said something, while it goes on', async () => {
    const server = await startServer()
    let send: (text: string) => void = () => undefined
    let end: () => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text))
        end = () => controller.close()
      },
    })
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    const answer = server.ask('/api/ingest?format=agent-lines&threadId=t&runId=r', init)
    send(said('The wheel turns again. '))
    send(line({ type: 'tool_call', data: { id: 'c', name: 'look', arguments: {} } }))
    await until(async () => (await titleOf(server, 't')) === 'The wheel turns again')
    expect((await server.log.run('r'))?.state).toBe('live')
    end()
    await answer
  })

  it('calls its thread what its sender says, unless the thread has a title', async () => {
    const server = await startServer()
    await post(server, 'threadId=a&title=Nightly%20%231', said('Other words.') + DONE)
    expect(await titleOf(server, 'a')).toBe('Nightly #1')
    await post(server, 'threadId=a&title=Second', said('More words.') + DONE)
    await server.log.createThread({ id: 'b', title: 'Named' })
    await post(server, 'threadId=b&title=Nightly', said('Words.') + DONE)
    await digested(server, 2)
    expect([await titleOf(server, 'a'), await titleOf(server, 'b')]).toEqual(['Nightly #1', 'Named'])
    expect((await post(server, `title=${'x'.repeat(501)}`, DONE)).status).toBe(400)
  })

  it('keeps the name of its file, and is proven like any other', async () => {
    const server = await startServer()
    const body = said('Words.') + DONE
    await post(server, 'runId=r&threadId=t&file=b%C3%BCro.jsonl', body)
    await post(server, 'runId=r&threadId=t&file=b%C3%BCro.jsonl', body)
    await digested(server, 1)
    expect((await list(server)).threads[0]?.lastRun?.digest).toMatchObject({ file: 'büro.jsonl', title: 'Words' })
    expect(await json(server.ask('/api/runs/r/verify'))).toMatchObject({ ok: true, reread: 'same', isComplete: true })
  })
})

describe('the list of runs', () => {
  async function serveRuns(): Promise<Serving> {
    const server = await startServer()
    for (const number of [1, 2, 3, 4, 5]) {
      const error = number % 2 === 0 ? line({ type: 'error', data: { message: 'No water.' } }) : DONE
      await post(server, `threadId=t${number}&runId=r${number}`, said(`Run ${number}.`) + error)
    }
    await digested(server, 5)
    return server
  }

  it('has the threads that satisfy its filter, in pages without a gap', async () => {
    const server = await serveRuns()
    expect(idsOf(await list(server))).toEqual(['t5', 't4', 't3', 't2', 't1'])
    const first = await list(server, 'state=done&limit=2')
    expect(idsOf(first)).toEqual(['t5', 't3'])
    const second = await list(server, `state=done&limit=2&after=${first.next}`)
    expect([idsOf(second), second.next]).toEqual([['t1'], undefined])
    expect(idsOf(await list(server, 'minErrors=1'))).toEqual(['t4', 't2'])
    expect(idsOf(await list(server, 'agent=agent-lines&state=failed'))).toEqual(['t4', 't2'])
    for (const nothing of ['agent=other', 'minCost=1', 'minSeconds=60', `since=${Date.now() + 60_000}`, 'state=live'])
      expect(idsOf(await list(server, nothing)), nothing).toEqual([])
    for (const wrong of ['state=odd', 'minCost=-1', 'minCost=x', 'since=-1', 'limit=999'])
      expect((await server.ask(`/api/runs?${wrong}`)).status, wrong).toBe(400)
  })

  it('is counted since a time, and before it', async () => {
    const server = await serveRuns()
    const now = Date.now()
    const at = (since: number) => json<Overview>(server.ask(`/api/overview?since=${since}&before=${now - 60_000}`))
    expect(await at(now - 60_000)).toMatchObject({ live: 0, needsYou: 0, runs: 5, earlier: 0, failed: 2 })
    expect(await at(now + 60_000)).toMatchObject({ runs: 0, earlier: 5, failed: 0, isPartial: false })
    expect((await server.ask('/api/overview?since=1')).status).toBe(400)
  })
})
