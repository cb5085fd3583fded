import { describe, expect, it } from 'vitest'
import { answerEvents, createRunServer, ending, settle } from '../../test/client/platform.ts'
import { threadScene } from '../../test/client/scenes.ts'
import type { RunInfo } from '../api/api-types.ts'

/** A thread whose server has a stream of it. */
function scene(...options: Parameters<typeof threadScene>) {
  const opened = threadScene(...options)
  const { changes, overview } = opened.server
  changes.isOn = true
  changes.first = { name: 'thread', data: overview() }
  return { ...opened, changes }
}

const info = (id: string, more: Partial<RunInfo> = {}): RunInfo => ({
  id,
  threadId: 't',
  state: 'live',
  seq: 0,
  ...more,
})
const reads = ({ requests }: ReturnType<typeof scene>['server']) =>
  requests.filter(({ line }) => line === 'GET /api/threads/t').length

describe('a thread store', () => {
  it('has in its snapshot what a reload has read, before the next frame, and publishes it once', async () => {
    const { server, world, store } = threadScene()
    server.addRun('one', createRunServer(...answerEvents('Stored.'), ...ending))
    store.start()
    await settle()
    world.frame()
    server.addRun('two', createRunServer(...answerEvents('Stored.'), ...ending))
    const published: number[] = []
    store.subscribe(() => published.push(store.snapshot().thread.runs.length))
    await store.reload()
    expect(store.snapshot().thread.runs.map(({ id }) => id)).toEqual(['one', 'two'])
    world.frame()
    expect(published).toEqual([2])
  })
})

describe('a thread store that follows its thread', () => {
  it('shows a run that begins elsewhere, streams it, and reads nothing else again', async () => {
    const { server, changes, store, view, ids } = scene()
    store.start()
    await settle()
    const run = server.addRun('one', createRunServer(...answerEvents('Live')))
    changes.send('run', info('one'))
    await settle()
    expect(view()).toMatchObject({ state: 'running', newest: { connection: 'live' } })
    expect(ids()).toEqual(['one/m'])
    run.append(...ending)
    changes.send('run', info('one', { state: 'ended', outcome: 'success', seq: 7, endedAt: 9 }))
    await settle()
    expect(view()).toMatchObject({ state: 'ready', thread: { runs: [{ state: 'ended', outcome: 'success' }] } })
    expect(reads(server)).toBe(1)
  })

  it('ends a streamed run with its last entry, not before', async () => {
    const { server, changes, store, view } = scene()
    const run = server.addRun('one', createRunServer(...answerEvents('Live')))
    store.start()
    await settle()
    changes.send('run', info('one', { state: 'ended', outcome: 'success', seq: 7 }))
    await settle()
    expect(view().state).toBe('running')
    run.append(...ending)
    await settle()
    expect(view().state).toBe('ready')
    expect(reads(server)).toBe(1)
  })

  it('reads only the newest runs when one has begun and ended elsewhere', async () => {
    const { server, changes, store, view, ids } = scene()
    server.addRun('one', createRunServer(...answerEvents('First.'), ...ending), { createdAt: 1 })
    store.start()
    await settle()
    const [before] = view().chatEvents
    server.paging.size = 1
    server.addRun('two', createRunServer(...answerEvents('Second.'), ...ending), { createdAt: 2 })
    const ended = info('two', { state: 'ended', outcome: 'success', seq: 7, createdAt: 2 })
    changes.send('run', ended)
    changes.send('run', ended)
    await settle()
    expect(ids()).toEqual(['one/m', 'two/m'])
    expect(view().chatEvents[0]).toBe(before)
    expect(view()).toMatchObject({ state: 'ready', thread: { runs: [{ id: 'one' }, { id: 'two' }] } })
    expect(reads(server)).toBe(2)
  })

  it('shows a run and a title that come while the thread is read, once it was read', async () => {
    const answered = Promise.withResolvers<void>()
    const { server, changes, store, view, ids } = scene({
      async fetch(...request) {
        const response = await server.fetch(...request)
        if (request[0].endsWith('/t')) await answered.promise
        return response
      },
    })
    server.addRun('one', createRunServer(...answerEvents('First.'), ...ending), { createdAt: 1 })
    store.start()
    await settle()
    server.addRun('two', createRunServer(...answerEvents('Second')), { createdAt: 2 })
    changes.send('run', info('two', { createdAt: 2 }))
    changes.send('thread', server.overview('Renamed'))
    await settle()
    expect(view()).toMatchObject({ state: 'loading', chatEvents: [], thread: { runs: [] } })
    answered.resolve()
    await settle()
    expect(ids()).toEqual(['one/m', 'two/m'])
    expect(view()).toMatchObject({ state: 'running', thread: { title: 'Renamed' } })
    expect(reads(server)).toBe(1)
  })

  it('shows runs in the order of the server, and a message that is being sent last', async () => {
    const { server, changes, store, ids } = scene()
    store.start()
    await settle()
    server.lost.answers = 1
    store.send('Mine').catch(() => undefined)
    await settle()
    for (const [id, createdAt] of [
      ['late', 20],
      ['early', 10],
    ] as const) {
      server.addRun(id, createRunServer(...answerEvents(id)), { createdAt })
      changes.send('run', info(id, { createdAt }))
      await settle()
    }
    expect(ids().slice(0, 2)).toEqual(['early/m', 'late/m'])
    expect(ids()).toHaveLength(4)
  })

  it('shows that a producer is gone, and a new title', async () => {
    const { server, changes, store, view } = scene()
    const run = server.addRun('one', createRunServer(...answerEvents('Live')))
    run.answer.status = 503
    store.start()
    await settle()
    changes.send('run', info('one', { state: 'waiting', waitUntil: 7 }))
    changes.send('thread', { ...server.overview('Renamed'), runs: [] })
    await settle()
    expect(view().thread).toMatchObject({ title: 'Renamed', runs: [{ state: 'waiting', waitUntil: 7 }] })
    changes.send('run', info('one'))
    await settle()
    expect(view().thread.runs[0]).not.toHaveProperty('waitUntil')
  })

  it('fails when the thread is deleted', async () => {
    const { server, changes, store, view } = scene()
    server.addRun('one', createRunServer(...answerEvents('Gone.'), ...ending))
    store.start()
    await settle()
    changes.send('deleted', { id: 't' })
    await settle()
    expect(view()).toMatchObject({ state: 'failed', chatEvents: [], error: { status: 404 } })
    expect(changes.viewers()).toBe(0)
  })

  it('keeps its snapshot if a stream that begins again says nothing new', async () => {
    const { server, world, changes, store, view } = scene()
    server.addRun('one', createRunServer(...answerEvents('Stored.'), ...ending))
    changes.first = { name: 'thread', data: server.overview() }
    store.start()
    await settle()
    const before = view()
    changes.cut()
    await settle()
    await world.advance(20_000)
    expect([changes.opened > 1, changes.viewers()]).toEqual([true, 1])
    expect(view()).toBe(before)
  })

  it('waits longer and longer for a server that cuts every stream after its first event', async () => {
    const { world, changes, store } = scene()
    store.start()
    for (let round = 0; round < 30; round++) {
      await settle()
      changes.cut()
      await world.advance(100)
    }
    expect(changes.opened).toBeLessThan(6)
  })

  it('has no connection while the page is hidden, and all news when it comes back', async () => {
    const { server, world, changes, store, view, ids } = scene()
    store.start()
    await settle()
    world.hide()
    await settle()
    expect(changes.viewers()).toBe(0)
    server.addRun('one', createRunServer(...answerEvents('Meanwhile'), ...ending))
    changes.first = { name: 'thread', data: server.overview() }
    world.wake('visible')
    await settle()
    expect([changes.viewers(), ids(), view().state]).toEqual([1, ['one/m'], 'ready'])
    store.close()
    world.wake('visible')
    await settle()
    expect(changes.viewers()).toBe(0)
  })

  it('follows a new thread once its first run has begun', async () => {
    const { changes, store } = scene({ isNew: true })
    store.start()
    await settle()
    expect(changes.opened).toBe(0)
    await store.send('Hello?')
    await settle()
    expect(changes.viewers()).toBe(1)
  })
})
