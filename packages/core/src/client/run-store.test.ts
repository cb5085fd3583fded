import { describe, expect, it } from 'vitest'
import { ending, settle } from '../../test/client/platform.ts'
import { runScene as scene } from '../../test/client/scenes.ts'
import { fold } from '../fold/fold.ts'

describe('a run store', () => {
  it('shows the fold of the log and ends with the run', async () => {
    const { server, store, view } = scene('Hello ', 'there')
    expect(view()).toMatchObject({ connection: 'idle', seq: 0, run: { runId: 'r', chatEvents: [] } })
    store.start()
    await settle()
    expect(view()).toMatchObject({ connection: 'live', seq: 5 })
    server.append(...ending)
    await settle()
    const run = fold(server.entries, { runId: 'r' })
    expect(view()).toEqual({ connection: 'ended', seq: 8, receivedAt: 0, run, seen: new Map([['messages', 1]]) })
    server.cut()
    await settle()
    expect(server.requests).toEqual([
      {
        url: 'http://host/api/runs/r/stream?wire=native&after=0',
        headers: { accept: 'text/event-stream', authorization: 'Bearer secret' },
      },
    ])
  })

  it('publishes once per frame, however many entries arrive', async () => {
    const { server, world, store } = scene()
    let publications = 0
    store.subscribe(() => publications++)
    store.start()
    await settle()
    for (let word = 0; word < 500; word++) server.append({ type: 'block-delta', blockId: 'b', text: 'word ' })
    await settle()
    expect(publications).toBe(0)
    expect(world.frame()).toBe(1)
    expect(publications).toBe(1)
    expect(store.snapshot().seq).toBe(503)
  })

  it('returns the same snapshot until something has changed', async () => {
    const { server, world, store, view } = scene('Hello')
    store.start()
    await settle()
    const before = view()
    expect(store.snapshot()).toBe(before)
    server.append({ type: 'block-delta', blockId: 'b', text: '!' })
    await settle()
    expect(store.snapshot()).toBe(before)
    const after = view()
    expect(after).not.toBe(before)
    server.cut()
    await settle()
    expect(view()).toBe(after)
    server.answer.status = 503
    server.cut()
    await settle()
    world.frame()
    expect(store.snapshot()).not.toBe(after)
    expect(store.snapshot().run).toBe(after.run)
  })

  it('counts features that a wire may be unable to carry, once per entry, and does not change an older view', async () => {
    const { server, store, view } = scene('Hello')
    store.start()
    await settle()
    const before = view()
    server.append({ type: 'status', message: 'Looking', level: 'info' }, { type: 'control', action: 'stop', sentAt: 1 })
    server.cut()
    await settle()
    expect(Object.fromEntries(view().seen)).toEqual({ messages: 1, status: 1, control: 1, times: 1 })
    expect(Object.fromEntries(before.seen)).toEqual({ messages: 1 })
  })

  it('does not call a listener that has unsubscribed, but still calls the others', async () => {
    const { store, view } = scene('Hello')
    const heard: string[] = []
    const leave = store.subscribe(() => heard.push('one'))
    store.subscribe(() => heard.push('two'))
    leave()
    store.start()
    await settle()
    view()
    expect(heard).toEqual(['two'])
  })

  it('resumes from the last entry, at once after the first cut and later after more', async () => {
    const { server, world, store, view } = scene('Hello')
    store.start()
    await settle()
    server.answer.status = 0
    server.cut()
    await settle()
    expect(server.requests.map(({ url }) => url.split('after=')[1])).toEqual(['0', '4'])
    expect(view()).toMatchObject({ connection: 'waiting', retryAt: 375, error: { code: 'no-answer' } })
    await world.advance(375)
    expect(view()).toMatchObject({ connection: 'waiting', retryAt: 375 + 750 })
    world.screen.isOnline = false
    await world.advance(100_000)
    expect(view().connection).toBe('offline')
    const waits = server.requests.length
    await world.advance(7_500)
    expect(server.requests.length).toBe(waits + 1)
    server.answer.status = 200
    store.retryNow()
    await settle()
    server.append(...ending)
    await settle()
    expect(view()).toMatchObject({ connection: 'ended', seq: 7 })
  })

  it.each(['online', 'visible'] as const)('tries at once when the page is %s again', async (wake) => {
    const { server, world, store, view } = scene('Hello')
    store.start()
    await settle()
    server.answer.status = 503
    server.cut()
    await settle()
    expect(view().connection).toBe('waiting')
    server.answer.status = 200
    world.wake(wake)
    await settle()
    expect(view()).toMatchObject({ connection: 'live', seq: 4 })
  })

  it('resumes at once again after new entries have arrived', async () => {
    const { server, world, store } = scene('Hello')
    store.start()
    await settle()
    server.answer.status = 503
    server.cut()
    await settle()
    server.answer.status = 200
    await world.advance(375)
    server.append({ type: 'block-delta', blockId: 'b', text: '!' })
    await settle()
    server.cut()
    await settle()
    expect(server.requests.map(({ url }) => url.split('after=')[1])).toEqual(['0', '4', '4', '5'])
  })

  it('closes a socket of the previous network, however recently bytes arrived', async () => {
    const { server, world, store } = scene('Hello')
    store.start()
    await settle()
    world.wake('online')
    await settle()
    expect(server.requests.length).toBe(2)
    expect(server.viewers()).toBe(1)
  })

  it('does not trust a silent socket when the page comes back', async () => {
    const { server, world, store } = scene('Hello')
    store.start()
    await settle()
    world.wake('visible')
    await settle()
    expect(server.requests.length).toBe(1)
    await world.advance(6_000)
    world.wake('visible')
    await settle()
    expect(server.requests.length).toBe(2)
    expect(server.viewers()).toBe(1)
  })

  it('treats a connection as dead after a silence of more than two and a half heartbeats', async () => {
    const { server, world, store, view } = scene('Hello')
    store.start()
    await settle()
    for (let beat = 0; beat < 5; beat++) {
      await world.advance(15_000)
      server.send(': ping\n\n')
      await settle()
    }
    expect(server.requests.length).toBe(1)
    await world.advance(37_400)
    expect(server.requests.length).toBe(1)
    await world.advance(200)
    expect(server.requests.length).toBe(2)
    expect(view()).toMatchObject({ connection: 'live', seq: 4 })
  })

  it.each([401, 403, 404, 410])('treats %i as final, until the caller requests another attempt', async (status) => {
    const { server, world, store, view } = scene('Hello')
    server.answer.status = status
    store.start()
    await settle()
    await world.advance(100_000)
    world.wake('online')
    await settle()
    expect(server.requests.length).toBe(1)
    expect(view()).toMatchObject({ connection: 'failed', error: { status, code: 'refused', message: 'No.' } })
    server.answer.status = 200
    store.retryNow()
    await settle()
    expect(view().connection).toBe('live')
    expect(view().error).toBeUndefined()
  })

  it('reconnects from the last good entry if one is missing, and skips frames that are not entries', async () => {
    const { server, store, view } = scene('Hello')
    store.start()
    await settle()
    server.send('data: {"seq":5,\n\ndata: 7\n\ndata: {"seq":"5"}\n\nnonsense\n\ndata: [DONE]\n\n')
    await settle()
    expect(view()).toMatchObject({ connection: 'live', seq: 4 })
    expect(server.requests.length).toBe(1)
    server.send(`data: ${JSON.stringify({ seq: 9, at: 0, event: { type: 'run-start' }, rawThrough: 0 })}\n\n`)
    await settle()
    expect(view()).toMatchObject({ connection: 'live', seq: 4 })
    expect(server.requests.at(-1)?.url).toMatch(/after=4$/)
  })

  it('keeps an event of an unknown type under its seq', async () => {
    const { server, store, view } = scene('Hello')
    store.start()
    await settle()
    server.send(`data: ${JSON.stringify({ seq: 5, at: 0, event: { type: 'from-the-future' }, rawThrough: 0 })}\n\n`)
    server.send(`data: ${JSON.stringify({ seq: 6, at: 0, event: { type: 'message-retract' }, rawThrough: 0 })}\n\n`)
    await settle()
    expect(view()).toMatchObject({ connection: 'live', seq: 6 })
    expect(server.requests.length).toBe(1)
  })

  it('closes the connection when stopped, and continues from its last entry', async () => {
    const { server, world, store, view } = scene('Hello')
    store.start()
    await settle()
    store.stop()
    await settle()
    await world.advance(60_000)
    expect(server.viewers()).toBe(0)
    expect(view()).toMatchObject({ connection: 'idle', seq: 4 })
    store.start()
    await settle()
    expect(server.requests.at(-1)?.url).toMatch(/after=4$/)
  })
})
