import { describe, expect, it } from 'vitest'
import { answerEvents, createRunServer, ending, settle } from '../../test/client/platform.ts'
import { runScene, threadScene } from '../../test/client/scenes.ts'

const ROUNDS = [1, 2, 3]

describe('a run store, the second and the third time', () => {
  it('reconnects at once after the first cut of each start, whatever failed before', async () => {
    const { server, world, store, view } = runScene('Hello')
    for (const round of ROUNDS) {
      server.answer.status = 200
      store.start()
      await settle()
      expect(view().connection, `round ${round}`).toBe('live')
      const before = server.requests.length
      server.answer.status = 503
      server.cut()
      await settle()
      expect(server.requests.length - before, `round ${round}`).toBe(1)
      // The waits begin small in every round.
      expect(view(), `round ${round}`).toMatchObject({ connection: 'waiting', retryAt: world.options.now() + 375 })
      await world.advance(375)
      expect(server.requests.length - before, `round ${round}`).toBe(2)
      store.stop()
      await world.advance(60_000)
      expect(server.requests.length - before, `round ${round}`).toBe(2)
    }
  })

  it('counts a connection that lasted as good, although nothing came', async () => {
    const { server, world, store, view } = runScene('Hello')
    store.start()
    await settle()
    for (const round of ROUNDS) {
      // Heartbeats, and no entry.
      for (let beats = 0; beats < 12; beats++) {
        await world.advance(1_000)
        server.send(': beat\n\n')
        await settle()
      }
      const before = server.requests.length
      server.cut()
      await settle()
      expect(server.requests.length - before, `round ${round}`).toBe(1)
      expect(view().connection, `round ${round}`).toBe('live')
    }
  })

  it('asks once if it is told to retry while it waits, as often as that happens', async () => {
    const { server, world, store, view } = runScene('Hello')
    store.start()
    await settle()
    for (const round of ROUNDS) {
      server.answer.status = 503
      server.cut()
      await settle()
      expect(view().connection, `round ${round}`).toBe('waiting')
      server.answer.status = 200
      const before = server.requests.length
      store.retryNow()
      store.retryNow()
      await settle()
      // The wait that was due is over: no second connection at its time.
      await world.advance(2_000)
      expect([server.requests.length - before, server.viewers()], `round ${round}`).toEqual([1, 1])
      server.append({ type: 'block-delta', blockId: 'b', text: '!' })
      await settle()
    }
    server.append(...ending)
    await settle()
    expect(view()).toMatchObject({ connection: 'ended', seq: 10 })
  })
})

describe('a thread store, the second and the third time', () => {
  it('sends after each refusal, and each message continues the last one that was taken', async () => {
    const { server, store, view } = threadScene({ isNew: true })
    store.start()
    for (const round of ROUNDS) {
      server.lost.status = 404
      const refused = [store.send('No.'), store.send('Nor this.')]
      expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      server.lost.status = 201
      await store.send('Yes.')
      expect(server.ids().length, `round ${round}`).toBe(round)
      expect(
        view().thread.runs.map(({ id }) => id),
        `round ${round}`,
      ).toEqual(server.ids())
    }
    const taken = server.requests.filter(({ body }) => JSON.stringify(body).includes('Yes.'))
    const [first, second] = server.ids()
    expect(taken.map(({ body }) => (body as { afterRunId?: string }).afterRunId)).toEqual([undefined, first, second])
  })

  it('asks no more after it is closed, though its first attempt failed, and reads again when it is opened again', async () => {
    const { server, world, store, view } = threadScene()
    server.addRun('one', createRunServer(...answerEvents('First.'), ...ending))
    for (const round of ROUNDS) {
      server.lost.reads = 1
      store.start()
      await settle()
      store.close()
      const before = server.requests.length
      await world.advance(60_000)
      expect(server.requests.length - before, `round ${round}`).toBe(0)
    }
    server.lost.reads = 0
    store.start()
    await settle()
    expect(view()).toMatchObject({ state: 'ready', chatEvents: [{ id: 'one/m' }] })
  })
})
