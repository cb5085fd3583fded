import { describe, expect, it } from 'vitest'
import { type NamedEvent, readingEvents } from './event-frames.ts'
import { producing } from './lost-producer.ts'
import { createGate, createTiming, type Serving, scripted, started, startServer, text, until } from './serving.ts'

const EVENTS = { headers: { accept: 'text/event-stream' } }
const ofThread = async ({ ask }: Serving, id: string) => readingEvents(await ask(`/api/threads/${id}/stream`))
const ofList = async ({ ask }: Serving, query = '') => readingEvents(await ask(`/api/threads${query}`, EVENTS))
const namesOf = (events: readonly NamedEvent[]) => events.map(({ name }) => name)

const waiting = (name: string, gate: { readonly opened: Promise<void> }) =>
  scripted(name, async function* () {
    yield text('begun')
    await gate.opened
    yield { type: 'done', data: {} }
  })

/** An agent that asks when the gate is open, and ends when it has its answer. */
const asking = (gate: { readonly opened: Promise<void> }) =>
  scripted('asking', async function* (_request, host) {
    yield text('May I?')
    await gate.opened
    await host.ask({ message: 'May I?' })
    yield { type: 'done', data: {} }
  })

describe('the stream of a thread', () => {
  it('begins with the thread and all its runs, then has each run that begins or changes its state', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [waiting('waiting', gate)] })
    await server.send('POST', '/api/threads', { id: 't', title: 'One' })
    const stream = await ofThread(server, 't')
    const first = await stream.untilEvent('thread')
    expect(first).toMatchObject({ thread: { id: 't', title: 'One' }, runs: [] })
    const begun = Date.now()
    const runId = await started(server)
    const run = await stream.untilEvent('run', ({ id }) => id === runId)
    expect(Date.now() - begun).toBeLessThan(1_000)
    expect(run).toMatchObject({ id: runId, threadId: 't', state: 'live', asks: false, agent: 'waiting' })
    expect(run).not.toHaveProperty('chatEvents')
    gate.open()
    const ended = await stream.untilEvent('run', ({ state }) => state === 'ended')
    expect(ended).toMatchObject({ id: runId, outcome: 'success', asks: false })
    expect(ended.endedAt).toBeGreaterThanOrEqual(begun)
    const late = await ofThread(server, 't')
    expect((await late.untilEvent('thread')).runs).toEqual([ended])
    expect(stream.text()).not.toMatch(/^id:/m)
    for (const each of [stream, late]) await each.leave()
  })

  it('says that a producer is gone and back, once each, and nothing for new entries', async () => {
    const server = await startServer({ resumeWithin: 30_000 })
    await server.send('POST', '/api/threads', { id: 't' })
    const stream = await ofThread(server, 't')
    await stream.untilEvent('thread')
    const producer = producing(server, 'attempt=1')
    for (const content of ['one', 'two', 'three']) producer.write(content)
    await stream.untilEvent('run', ({ state }) => state === 'live')
    await until(async () => (await server.log.run('r'))?.rawRecords === 3)
    const gone = Date.now()
    producer.vanish()
    await stream.untilEvent('run', ({ state }) => state === 'waiting')
    expect(Date.now() - gone).toBeLessThan(1_000)
    await server.ask('/api/ingest?format=agent-lines&threadId=t&runId=r&attempt=2&line=3', {
      method: 'POST',
      body: '{"type":"done","data":{}}\n',
    })
    await stream.untilEvent('run', ({ state }) => state === 'ended')
    const states = stream.events().flatMap(({ name, data }) => (name === 'run' ? [data.state] : []))
    expect(states.filter((state, index) => states[index - 1] === state && state !== 'waiting')).toEqual([])
    await stream.leave()
  })

  it('says that a run asks, and that it has its answer', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [asking(gate)] })
    await server.send('POST', '/api/threads', { id: 't' })
    const [stream, list] = [await ofThread(server, 't'), await ofList(server)]
    const runId = await started(server)
    await stream.untilEvent('run', ({ id }) => id === runId)
    await list.untilEvent('thread', ({ lastRun }) => lastRun?.asks === false)
    gate.open()
    await stream.untilEvent('run', ({ asks }) => asks)
    expect(await list.untilEvent('thread', ({ lastRun }) => lastRun?.asks)).toMatchObject({ id: 't' })
    await server.send('POST', `/api/runs/${runId}/approvals/approval-1`, { state: 'approved' })
    expect(await stream.untilEvent('run', ({ state }) => state === 'ended')).toMatchObject({ asks: false })
    for (const each of [stream, list]) await each.leave()
  })

  it('repeats the thread when its title changes, and ends when it is deleted', async () => {
    const server = await startServer()
    await server.send('POST', '/api/threads', { id: 't', title: 'One' })
    const stream = await ofThread(server, 't')
    await stream.untilEvent('thread')
    await server.send('PATCH', '/api/threads/t', { title: 'Two' })
    expect(await stream.untilEvent('thread', ({ thread }) => thread.title === 'Two')).toMatchObject({ runs: [] })
    await server.ask('/api/threads/t', { method: 'DELETE' })
    await stream.rest()
    expect(stream.events().at(-1)).toEqual({ name: 'deleted', data: { id: 't' } })
    expect(namesOf(stream.events())).toEqual(['thread', 'thread', 'deleted'])
    expect((await server.ask('/api/threads/t/stream')).status).toBe(404)
  })

  it('answers HEAD with its headers, and sends signs of life', async () => {
    const timing = createTiming()
    const server = await startServer({ timing })
    await server.send('POST', '/api/threads', { id: 't' })
    for (const [path, init] of [
      ['/api/threads/t/stream', {}],
      ['/api/threads', EVENTS],
    ] as const) {
      const head = await server.ask(path, { ...init, method: 'HEAD' })
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      const stream = readingEvents(await server.ask(path, init))
      await stream.until('\n\n')
      timing.advance(15_000)
      timing.advance(15_000)
      await stream.until(': ping')
      await stream.leave()
    }
  })
})

describe('the stream of the list', () => {
  it('begins with the first page, then has each thread that is new or has changed', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [waiting('waiting', gate)] })
    for (const id of ['a', 'b', 'c']) await server.send('POST', '/api/threads', { id })
    const stream = await ofList(server, '?limit=2')
    const { threads, next } = await stream.untilEvent('threads')
    expect([threads.length, typeof next]).toEqual([2, 'string'])
    const begun = Date.now()
    await server.send('POST', '/api/threads/new/runs', { input: 'go' })
    const listed = await stream.untilEvent('thread', ({ id, lastRun }) => id === 'new' && lastRun !== undefined)
    expect(Date.now() - begun).toBeLessThan(1_000)
    expect(listed.lastRun).toMatchObject({ state: 'live', asks: false })
    gate.open()
    await stream.untilEvent('thread', ({ lastRun }) => lastRun?.state === 'ended')
    await server.send('PATCH', '/api/threads/a', { title: 'Renamed' })
    await stream.untilEvent('thread', ({ id, title }) => id === 'a' && title === 'Renamed')
    await server.ask('/api/threads/a', { method: 'DELETE' })
    expect(await stream.untilEvent('deleted')).toEqual({ id: 'a' })
    // Newer threads have pushed others off the page: they are not deleted.
    expect(stream.events().filter(({ name }) => name === 'deleted')).toHaveLength(1)
    await stream.leave()
  })

  it('has a thread that is too old for the page while its run has not ended', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [waiting('waiting', gate)] })
    await server.send('POST', '/api/threads/old/runs', { input: 'go' })
    for (const id of ['a', 'b', 'c']) await server.send('POST', '/api/threads', { id })
    const stream = await ofList(server, '?limit=2')
    const { threads } = await stream.untilEvent('threads')
    expect(threads.map(({ id }: { id: string }) => id)).not.toContain('old')
    expect(await stream.untilEvent('thread', ({ id }) => id === 'old')).toMatchObject({ lastRun: { state: 'live' } })
    gate.open()
    await stream.untilEvent('thread', ({ id, lastRun }) => id === 'old' && lastRun.state === 'ended')
    await stream.leave()
  })

  it('is asked for by the header, and only from the beginning', async () => {
    const server = await startServer()
    for (const query of ['search=x', 'after=x', 'open=true']) {
      expect((await server.ask(`/api/threads?${query}`, EVENTS)).status, query).toBe(400)
    }
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream', 'text/html']) {
      const answer = await server.ask('/api/threads', { headers: { accept } })
      expect(await answer.json(), accept).toEqual({ threads: [] })
    }
  })
})
