import { describe, expect, it } from 'vitest'
import { answerEvents, createRunServer, createWorld, ending, settle } from '../../test/client/platform.ts'
import { openBrowser } from '../../test/client/tabs.ts'
import { createThreadServer } from '../../test/client/threads.ts'
import { totalsOf } from '../fold/fold.ts'
import type { Fetch } from './platform.ts'
import { createRunStore } from './run-store.ts'
import { createThreadStore } from './thread-store.ts'

const frame = (status: object) => `event: run-state\ndata: ${JSON.stringify(status)}\n\n`
const waiting = { state: 'waiting', waitUntil: 61_000 } as const

describe('the status of a run', () => {
  it('is shown by its store as the server sends it, and no longer when the run has ended', async () => {
    const server = createRunServer(...answerEvents('Hello '))
    const world = createWorld()
    const store = createRunStore({ baseUrl: 'http://host', runId: 'r', ...world.options, fetch: server.fetch })
    const view = () => {
      world.frame()
      return store.snapshot()
    }
    store.start()
    await settle()
    expect(view().runState).toBeUndefined()
    server.send(frame(waiting))
    await settle()
    expect(view()).toMatchObject({ runState: waiting, connection: 'live', seq: 4 })
    const before = view()
    server.send(frame(waiting) + frame({ state: 'elsewhere' }) + frame({ seq: 5, at: 0, event: { type: 'run-end' } }))
    await settle()
    expect(view()).toBe(before)
    server.send(frame({ state: 'live', waitUntil: 'soon' }))
    await settle()
    expect(view().runState).toEqual({ state: 'live' })
    server.append(...ending)
    await settle()
    expect(view()).toMatchObject({ connection: 'ended', seq: 7 })
    expect('runState' in view()).toBe(false)
  })

  it('is passed on to the other tabs, and to a tab that opens late', async () => {
    const { server, openTab } = openBrowser('Hello ')
    const tabs = [openTab(), openTab()]
    await settle()
    server.send(frame(waiting))
    await settle()
    const late = openTab()
    await settle()
    for (const tab of [...tabs, late]) expect(tab.view().runState).toEqual(waiting)
    server.send(frame({ state: 'live' }))
    await settle()
    for (const tab of [...tabs, late]) expect(tab.view().runState).toEqual({ state: 'live' })
    expect(server.requests.length).toBe(1)
  })
})

describe('the runs of a thread', () => {
  async function opened() {
    const server = createThreadServer()
    const world = createWorld()
    const store = createThreadStore({ baseUrl: 'http://host', threadId: 't', ...world.options, fetch: server.fetch })
    const run = server.addRun('one', createRunServer(...answerEvents('Hello ')))
    store.start()
    await settle()
    const info = () => {
      world.frame()
      return store.snapshot().thread.runs[0]
    }
    return { server, store, run, info }
  }

  it('wait while their producer is disconnected, and are live again when it is back', async () => {
    const { run, info } = await opened()
    expect(info()).toMatchObject({ state: 'live' })
    run.send(frame(waiting))
    await settle()
    expect(info()).toMatchObject({ id: 'one', ...waiting })
    run.send(frame({ state: 'live' }))
    await settle()
    expect(info()).toMatchObject({ state: 'live' })
    expect(info()).not.toHaveProperty('waitUntil')
    run.send(frame(waiting))
    run.append(...ending)
    await settle()
    expect(info()).toMatchObject({ state: 'ended', outcome: 'success' })
    expect(info()).not.toHaveProperty('waitUntil')
  })

  it('have the totals of the stream while they are live, equal to the stored totals', async () => {
    const { server, run, info } = await opened()
    const again = async () => {
      const world = createWorld()
      const other = createThreadStore({ baseUrl: 'http://host', threadId: 't', ...world.options, fetch: server.fetch })
      await other.reload()
      world.frame()
      return other.snapshot().thread.runs[0]
    }
    const before = info()
    expect(before).toMatchObject({ startedAt: 0 })
    run.append({ type: 'block-delta', blockId: 'b', text: 'there' })
    await settle()
    expect(info()).toBe(before)
    run.append({ type: 'usage', scope: 'run', mode: 'snapshot', inputTokens: 7 })
    run.append({ type: 'raw', value: 1, reason: 'unmapped' })
    await settle()
    const live = info()
    expect(live).toMatchObject({ state: 'live', usage: { inputTokens: 7 }, raw: { count: 1, seqs: [7] } })
    expect(totalsOf(live as never)).toEqual(totalsOf((await again()) as never))
    run.append(...ending)
    await settle()
    const ended = info()
    expect(ended).toMatchObject({ state: 'ended', usage: { inputTokens: 7 }, startedAt: 0, endedAt: 90 })
    expect(ended).toEqual(await again())
  })

  it('keep the totals of the server while their stream catches up', async () => {
    const server = createThreadServer()
    const world = createWorld()
    const run = server.addRun('one', createRunServer(...answerEvents('Hello ')))
    for (const inputTokens of [3, 7]) run.append({ type: 'usage', scope: 'run', mode: 'snapshot', inputTokens })
    // A stream that has sent all but the last entry.
    const half = run.entries.slice(0, -1).map((entry) => `data: ${JSON.stringify(entry)}\n\n`)
    const body = () =>
      new ReadableStream<Uint8Array>({ start: (reader) => reader.enqueue(new TextEncoder().encode(half.join(''))) })
    const fetch: Fetch = async (url, init) => (url.includes('/stream') ? new Response(body()) : server.fetch(url, init))
    const store = createThreadStore({ baseUrl: 'http://host', threadId: 't', ...world.options, fetch })
    store.start()
    await settle()
    world.frame()
    expect(store.snapshot()).toMatchObject({ newest: { seq: 5, run: { usage: { inputTokens: 3 } } } })
    expect(store.snapshot().thread.runs[0]).toMatchObject({ seq: 6, usage: { inputTokens: 7 } })
  })

  it('have the status of a connected stream, even if an older response of the server differs', async () => {
    const { store, run, info } = await opened()
    run.send(frame(waiting))
    await settle()
    expect(info()).toMatchObject(waiting)
    await store.reload()
    expect(info()).toMatchObject(waiting)
  })

  it('have the status of the server while their stream is cut', async () => {
    const { store, run, info } = await opened()
    run.send(frame(waiting))
    await settle()
    expect(info()).toMatchObject(waiting)
    run.answer.status = 503
    run.cut()
    await settle()
    expect(info()).toMatchObject(waiting)
    await store.reload()
    expect(info()).toMatchObject({ state: 'live' })
  })
})
