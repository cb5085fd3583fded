import { describe, expect, it } from 'vitest'
import { answerEvents, createRunServer, ending, settle } from '../../test/client/platform.ts'
import { threadScene as scene } from '../../test/client/scenes.ts'
import { userEvents } from '../../test/client/threads.ts'
import { USER_MESSAGE } from '../api/ids.ts'
import type { StreamEvent } from '../events.ts'
import type { Fetch } from './platform.ts'

describe('a thread store', () => {
  it('joins stored and live runs, and streams only the live ones', async () => {
    const { server, store, view, ids } = scene()
    const stored = server.addRun('one', createRunServer(...answerEvents('Stored.'), ...ending))
    const live = server.addRun('two', createRunServer(...answerEvents('Live')))
    expect(view()).toMatchObject({ state: 'idle', chatEvents: [] })
    store.start()
    expect(view().state).toBe('loading')
    await settle()
    expect(view()).toMatchObject({ state: 'running', thread: { title: 'A thread' }, newest: { connection: 'live' } })
    expect(ids()).toEqual(['one/m', 'two/m'])
    live.append({ type: 'block-delta', blockId: 'b', text: '!' }, ...ending)
    await settle()
    expect(view().chatEvents.at(-1)?.segments).toMatchObject([{ text: 'Live!', state: 'done' }])
    expect(view()).toMatchObject({ state: 'ready', thread: { runs: [{ state: 'ended' }, { state: 'ended' }] } })
    expect(stored.requests).toEqual([])
    store.close()
  })

  it('never shows less than the stored chat events while a stream catches up', async () => {
    const { server, store, view } = scene()
    const run = server.addRun('one', createRunServer(...answerEvents('Half an ', 'answer')))
    run.answer.status = 503
    store.start()
    await settle()
    expect(view().newest).toMatchObject({ connection: 'waiting', seq: 0 })
    expect(view().chatEvents[0]?.segments).toMatchObject([{ text: 'Half an answer' }])
  })

  it('keeps the snapshot and its messages until they change', async () => {
    const { server, store, view } = scene()
    server.addRun('one', createRunServer(...answerEvents('Stored.'), ...ending))
    const live = server.addRun('two', createRunServer(...answerEvents('Live')))
    store.start()
    await settle()
    const before = view()
    expect(view()).toBe(before)
    live.append({ type: 'block-delta', blockId: 'b', text: '!' })
    await settle()
    const after = view()
    expect(after).not.toBe(before)
    expect(after.chatEvents[0]).toBe(before.chatEvents[0])
    expect(after.thread).toBe(before.thread)
    live.answer.status = 503
    live.cut()
    await settle()
    expect(view().newest?.connection).toBe('waiting')
    expect(view().chatEvents).toBe(after.chatEvents)
  })

  it('S3-32: shows the message and an empty answer before the server responds, and then the logged ones instead', async () => {
    const { server, store, view, ids } = scene()
    store.start()
    await settle()
    const sent = store.send('Hello?', { agent: 'demo' })
    expect(view()).toMatchObject({
      state: 'sending',
      chatEvents: [
        { role: 'user', segments: [{ type: 'text', text: 'Hello?' }] },
        { role: 'assistant', state: 'live', segments: [] },
      ],
    })
    const [userId] = ids()
    await sent
    await settle()
    const [runId = ''] = server.ids()
    expect(userId).toBe(`${runId}/${USER_MESSAGE.messageId}`)
    expect(ids()).toEqual([userId, `${runId}/expected`])
    server.runOf(runId).append(...userEvents('Hello?'))
    await settle()
    const logged = view().chatEvents[0]
    expect(logged).toMatchObject({ id: userId, seqs: [2, 6], segments: [{ id: USER_MESSAGE.blockId, text: 'Hello?' }] })
    expect(ids()).toEqual([userId, `${runId}/expected`])
    server.runOf(runId).append(...answerEvents('Yes.').slice(1), ...ending)
    await settle()
    expect(ids()).toEqual([userId, `${runId}/m`])
    expect(view().state).toBe('ready')
  })

  it('no longer expects an answer of a run that has ended without one', async () => {
    const { server, store, ids } = scene({ isNew: true })
    store.start()
    await store.send('Hello?')
    await settle()
    const [runId = ''] = server.ids()
    server.runOf(runId).append(...userEvents('Hello?'), { type: 'run-end', outcome: 'cancelled' })
    await settle()
    expect(ids()).toEqual([`${runId}/${USER_MESSAGE.messageId}`])
  })

  it('starts no run twice when a response is lost', async () => {
    const { server, world, store, view } = scene({ isNew: true })
    store.start()
    server.lost.answers = 2
    const sent = store.send({ text: 'Hello?' })
    await settle()
    expect(view().state).toBe('sending')
    await world.advance(10_000)
    await sent
    await settle()
    const posts = server.requests.filter(({ line }) => line === 'POST /api/threads/t/runs')
    expect(posts.length).toBe(3)
    expect(server.ids().length).toBe(1)
    for (const { body, key } of posts) {
      expect(key).toMatch(/^run_[\w-]{24}$/)
      expect(body).toEqual({ input: { text: 'Hello?' }, runId: key })
    }
    expect(view()).toMatchObject({ state: 'running', newest: { connection: 'live' } })
  })

  it('sends one message after the other, each continuing the one before', async () => {
    const { server, store } = scene({ isNew: true })
    store.start()
    await Promise.all([store.send('One'), store.send('Two')])
    const [first, second] = server.ids()
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { runId: first, input: { text: 'One' } },
      { runId: second, input: { text: 'Two' }, afterRunId: first },
    ])
  })

  it('removes a refused message and rejects with the reason', async () => {
    const { server, store, view } = scene({ isNew: true })
    store.start()
    server.lost.status = 404
    await expect(store.send('Hello?', { agent: 'nobody' })).rejects.toMatchObject({ status: 404, code: 'no' })
    expect(view()).toMatchObject({ state: 'ready', chatEvents: [] })
  })

  it('stops the live run and sends an answer to the run that asked', async () => {
    const { server, store } = scene()
    server.addRun('one', createRunServer(...answerEvents('Stored.'), ...ending))
    server.addRun(
      'two',
      createRunServer(...answerEvents('Live'), { type: 'approval', approvalId: 'a', state: 'requested' }),
    )
    store.start()
    await settle()
    await store.answer('a', { state: 'denied', message: 'No.' })
    await store.stop()
    expect(server.requests.slice(1)).toMatchObject([
      { line: 'POST /api/runs/two/approvals/a', body: { state: 'denied', message: 'No.' } },
      { line: 'POST /api/runs/two/stop' },
    ])
    await expect(store.answer('other', { state: 'approved' })).rejects.toMatchObject({ code: 'not-asked' })
  })

  it('shows the output of a later run at the call that awaits it', async () => {
    const { server, store, view, ids } = scene()
    const asking: StreamEvent[] = [
      { type: 'tool-start', callId: 'c', name: 'pick', runBy: 'client' },
      { type: 'tool-input', callId: 'c', input: {} },
      { type: 'run-end', outcome: 'awaiting-input' },
    ]
    server.addRun('one', createRunServer(...answerEvents('Which?'), ...asking))
    store.start()
    await settle()
    expect(view()).toMatchObject({ state: 'awaiting-input', chatEvents: [{ segments: [{}, { state: 'ready' }] }] })
    const orphan = { millrace: { orphan: true } }
    const second = createRunServer(...answerEvents('Good.'))
    second.append({ type: 'tool-start', callId: 'c', name: 'unknown', runBy: 'agent', meta: orphan })
    second.append({ type: 'tool-output', callId: 'c', status: 'ok', output: 'this' })
    server.addRun('two', second, { afterRunId: 'one' })
    await store.reload()
    await settle()
    expect(ids()).toEqual(['one/m', 'two/m'])
    expect(view().chatEvents).toMatchObject([
      { segments: [{ type: 'text' }, { name: 'pick', state: 'done', output: 'this' }] },
      { segments: [{ type: 'text', text: 'Good.' }] },
    ])
    expect(view().chatEvents[1]?.segments.length).toBe(1)
  })

  it('reads all pages of a thread, and retries while the server is unreachable', async () => {
    const { server, world, store, view, ids } = scene()
    server.addRun('one', createRunServer(...answerEvents('First.'), ...ending))
    server.addRun('two', createRunServer(...answerEvents('Second.'), ...ending))
    server.paging.size = 1
    server.lost.reads = 2
    store.start()
    await settle()
    expect(view().state).toBe('loading')
    await world.advance(5_000)
    await settle()
    expect(ids()).toEqual(['one/m', 'two/m'])
    expect(view().state).toBe('ready')
  })

  it('loads runs that were started elsewhere when the page comes back', async () => {
    const { server, world, store, ids } = scene()
    store.start()
    await settle()
    server.addRun('one', createRunServer(...answerEvents('Elsewhere')))
    world.wake('visible')
    await settle()
    expect(ids()).toEqual(['one/m'])
  })

  it('keeps a newer load if an older one fails afterwards, and shows the failure of the newest', async () => {
    const held: PromiseWithResolvers<Response>[] = []
    const { server, world, store, view } = scene({
      fetch: (...request: Parameters<Fetch>) => {
        if (request[0].endsWith('/stream')) return server.fetch(...request)
        const late = Promise.withResolvers<Response>()
        held.push(late)
        return late.promise.catch(() => server.fetch(...request))
      },
    })
    const refused = () => new Response('{"error":{"code":"no-access","message":"No."}}', { status: 403 })
    store.start()
    await settle()
    world.wake('visible')
    await settle()
    held[1]?.reject(new Error('answered by the server'))
    await settle()
    expect([held.length, view().state]).toEqual([2, 'ready'])
    held[0]?.resolve(refused())
    await settle()
    expect([view().state, view().error]).toEqual(['ready', undefined])
    world.wake('visible')
    await settle()
    held[2]?.resolve(refused())
    await settle()
    expect(view().error).toMatchObject({ status: 403 })
  })

  it('closes every connection when closed', async () => {
    const { server, store } = scene()
    const run = server.addRun('one', createRunServer(...answerEvents('Live')))
    store.start()
    await settle()
    expect(run.viewers()).toBe(1)
    store.close()
    await settle()
    expect(run.viewers()).toBe(0)
  })
})
