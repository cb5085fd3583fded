import type { RunStatus } from '@millrace/core/api'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { followStatus, type WatchedStatus } from '../src/deliver/status-frames.ts'
import { framesOf, reading } from './frames.ts'
import { producing } from './lost-producer.ts'
import { createGate, scripted, started, startServer, text, until } from './serving.ts'

/** The statuses in a stream, in order. */
const statusesIn = (stream: string) =>
  [...stream.matchAll(/^event: run-state\ndata: (.*)\n(.*)$/gm)].map(([, data = '', next]) => {
    // A separate frame, without an id.
    expect(next).toBe('')
    return JSON.parse(data) as { readonly state: string; readonly waitUntil?: number }
  })

describe('the status of a run', () => {
  it('is sent to each new viewer, and whenever the producer leaves or comes back', async () => {
    const server = await startServer({ resumeWithin: 30_000 })
    const first = producing(server, 'attempt=1')
    first.write('one')
    await until(async () => (await server.log.run('r'))?.rawRecords === 1)
    const viewer = reading(await server.ask('/api/runs/r/stream'))
    await viewer.until('"one"')
    const before = Date.now()
    first.vanish()
    await viewer.until('"waiting"')
    const late = reading(await server.ask('/api/runs/r/stream'))
    await late.until('"one"')
    const second = producing(server, 'attempt=2&line=1')
    second.write('two')
    await viewer.until('"two"')
    second.end()
    const [whole, rest] = await Promise.all([viewer.rest(), late.rest()])
    expect(statusesIn(whole).map(({ state }) => state)).toEqual(['live', 'waiting', 'live'])
    expect(statusesIn(rest).map(({ state }) => state)).toEqual(['waiting', 'live'])
    expect(statusesIn(rest)[0]).toEqual(statusesIn(whole)[1])
    const waited = (statusesIn(whole)[1]?.waitUntil ?? 0) - before
    expect([waited >= 30_000, waited < 40_000]).toEqual([true, true])
    // Entries and their cursors are the same as without it.
    const stored = await (await server.ask('/api/runs/r/stream')).text()
    expect(statusesIn(stored)).toEqual([])
    for (const stream of [whole, rest])
      expect(framesOf(stream).filter(({ id }) => id !== undefined)).toEqual(framesOf(stored))
  })

  it('is sent each time the producer leaves or comes back, on both transports', async () => {
    const server = await startServer({ resumeWithin: 30_000 })
    let producer = producing(server, 'attempt=1')
    producer.write('part 1')
    await until(async () => (await server.log.run('r'))?.rawRecords === 1)
    const viewer = reading(await server.ask('/api/runs/r/stream'))
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/runs/r/ws`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    const messages: { readonly state?: string }[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    const states = () => messages.flatMap(({ state }) => state ?? [])
    await viewer.until('part 1')
    await until(() => states().length === 1)
    for (let time = 1; time <= 3; time++) {
      producer.vanish()
      await until(() => states().length === 2 * time)
      producer = producing(server, `attempt=${time + 1}&line=${time}`)
      producer.write(`part ${time + 1}`)
      await viewer.until(`part ${time + 1}`)
      await until(() => states().length === 2 * time + 1)
    }
    producer.end()
    const expected = ['live', 'waiting', 'live', 'waiting', 'live', 'waiting', 'live']
    expect(statusesIn(await viewer.rest()).map(({ state }) => state)).toEqual(expected)
    expect(states()).toEqual(expected)
  })

  it('is sent only on the native wire', async () => {
    const gate = createGate()
    const agent = scripted('slow', async function* () {
      yield text('first')
      await gate.opened
    })
    const server = await startServer({ agents: [agent] })
    const runId = await started(server)
    const wires = ['ai-sdk', 'ag-ui', 'agent-event', 'event-segments', 'ds-agent']
    const answers = await Promise.all(wires.map((wire) => server.ask(`/api/runs/${runId}/stream?wire=${wire}`)))
    gate.open()
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toContain('run-state')
    }
  })

  it('is a message without an id over a WebSocket', async () => {
    const server = await startServer()
    const producer = producing(server, 'attempt=1')
    producer.write('one')
    await until(async () => (await server.log.run('r'))?.rawRecords === 1)
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/runs/r/ws`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    const messages: { readonly id?: string; readonly state?: string; readonly waitUntil?: number }[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    await until(() => messages.length === 5)
    producer.vanish()
    await until(() => messages.length === 6)
    socket.close()
    expect(messages[0]).toEqual({ state: 'live' })
    expect(messages.slice(1, 5).map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
    expect(messages[5]).toEqual({ state: 'waiting', waitUntil: expect.any(Number) })
  })

  it('is not queued for a slow viewer: it gets the newest after what it has taken', async () => {
    let tell: (status: RunStatus) => void = () => expect.fail()
    const taken = createGate()
    const sent: string[] = []
    const watched: WatchedStatus = {
      first: () => ({ state: 'live' }),
      listen(listener) {
        tell = listener
        return () => {
          tell = () => undefined
        }
      },
    }
    const send = (status: string) => {
      sent.push(status)
      return sent.length === 1 ? taken.opened : undefined
    }
    const stop = followStatus(watched, send, (error) => {
      throw error
    })
    for (let waitUntil = 0; waitUntil < 100; waitUntil++) tell({ state: 'waiting', waitUntil })
    expect(sent).toEqual(['{"state":"live"}'])
    taken.open()
    await until(() => sent.length > 1)
    expect(sent).toEqual(['{"state":"live"}', '{"state":"waiting","waitUntil":99}'])
    tell({ state: 'waiting', waitUntil: 99 })
    stop()
    tell({ state: 'live' })
    expect(sent).toHaveLength(2)
  })
})
