import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { done, talking } from './scripted-agents.ts'
import { createTiming, ingested, startServer, text, until } from './serving.ts'
import { connect, newSession, wholeOf } from './session-client.ts'

const MEGABYTE = 1024 * 1024

describe('a frame that a client sends to a session', () => {
  it.each<[string, string | Buffer, string]>([
    ['invalid JSON', '{', 'bad-json'],
    ['nothing', '', 'bad-json'],
    ['null', 'null', 'bad-json'],
    ['a number', '7', 'bad-json'],
    ['a list', '[{"type":"ping"}]', 'bad-json'],
    ['bytes', Buffer.from('{"type":"ping"}'), 'bad-json'],
    ['no type', '{}', 'unknown-type'],
    ['an unknown type', '{"type":"dance"}', 'unknown-type'],
    ['a type that is not a string', '{"type":{"toString":7}}', 'unknown-type'],
    ['a very deep type', `{"type":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'unknown-type'],
    ['a type that every object has', '{"type":"constructor"}', 'unknown-type'],
    ['another one', '{"type":"__proto__"}', 'unknown-type'],
    ['very deep JSON', `{"type":"dance","a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'unknown-type'],
    ['a query without text', '{"type":"query"}', 'bad-request'],
    ['an empty query', '{"type":"query","query":" \\n"}', 'bad-request'],
    ['a query that is not a string', '{"type":"query","query":["x"]}', 'bad-request'],
    ['a limit of 0 messages', '{"type":"get_messages","limit":0}', 'bad-request'],
    ['too many messages', '{"type":"get_messages","limit":1e9}', 'bad-request'],
    ['an answer to nothing', '{"type":"approve","approved":true}', 'bad-request'],
    ['an answer that is not a boolean', '{"type":"approve","approval_id":"a","approved":"yes"}', 'bad-request'],
    ['too much', JSON.stringify({ type: 'query', query: 'x'.repeat(MEGABYTE) }), 'too-large'],
  ])('%s is answered with an error, and the connection stays', async (_name, frame, code) => {
    const failures: unknown[] = []
    const server = await startServer({ agents: [talking], report: (error) => failures.push(error) })
    const id = await newSession(server)
    const client = await connect(server, id)
    client.socket.send(frame)
    await until(() => client.controls.length === 1)
    expect(client.controls[0]).toEqual({ type: 'error', message: expect.stringMatching(/./), error_code: code })
    expect(await client.ask({ type: 'ping' })).toEqual({ type: 'pong' })
    expect([failures, await server.log.runs(id)]).toEqual([[], []])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('SECURITY 12: of any content leaves the server up and the connection open', async () => {
    const failures: unknown[] = []
    const server = await startServer({ agents: [talking], report: (error) => failures.push(error) })
    const client = await connect(server, await newSession(server))
    const types = fc.constantFrom('query', 'get_messages', 'get_state', 'approve', 'stop', 'ping', '__proto__', 'dance')
    const fields = fc.constantFrom('query', 'limit', 'approval_id', 'approved', 'message', '__proto__')
    const frame = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc
        .tuple(types, fc.dictionary(fields, fc.oneof(fc.jsonValue(), fc.string(), fc.boolean(), fc.nat())))
        .map(([type, rest]) => JSON.stringify({ type, ...rest })),
    )
    for (const sent of fc.sample(frame, { numRuns: 500, seed: 24 })) client.send(sent.toWellFormed())
    await until(() => client.controls.length > 300)
    client.send({ type: 'ping' })
    await until(() => client.controls.at(-1)?.type === 'pong')
    expect(failures).toEqual([])
    expect(client.controls.filter(({ error_code }) => error_code === 'internal')).toEqual([])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('of far too many bytes closes the connection, and the server stays up', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const client = await connect(server, id)
    const closed = once(client.socket, 'close')
    client.send({ type: 'query', query: 'x'.repeat(5 * MEGABYTE) })
    expect((await closed)[0]).toBe(1009)
    expect((await server.ask(`/api/v2/sessions/${id}`)).status).toBe(200)
  })

  it('a thousand pings get a thousand pongs, and requests between them are answered in order', async () => {
    const server = await startServer({ agents: [talking] })
    const client = await connect(server, await newSession(server))
    for (let count = 0; count < 1_000; count++) client.send({ type: count === 500 ? 'get_state' : 'ping' })
    await until(() => client.controls.length === 1_000)
    const types = client.controls.map(({ type }) => type)
    expect([types.indexOf('state'), new Set(types).size]).toEqual([500, 2])
  })

  it('is handled even if the client leaves right after it', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'hello' })
    client.socket.close()
    await until(async () => (await server.log.runs(id))[0]?.outcome === 'success')
  })

  it('may contain a query of the maximum length', async () => {
    const server = await startServer({ agents: [talking] })
    const client = await connect(server, await newSession(server))
    const query = 'x'.repeat(MEGABYTE - 100)
    client.send({ type: 'query', query })
    await client.untilSaid('final_answer')
    expect(client.messages[0]?.content).toBe(query)
  })
})

describe('a client of a session that does not read', () => {
  /** Counts the calls of `runs`: each request for the history makes one. */
  async function countingLog(): Promise<Log & { readonly asked: () => number }> {
    const log = await memory.open({ folder: '' })
    let asked = 0
    return {
      ...log,
      asked: () => asked,
      runs(threadId) {
        asked++
        return log.runs(threadId)
      },
    }
  }

  it('gets no further responses, and is disconnected if it stalls for too long', async () => {
    const log = await countingLog()
    const timing = createTiming()
    const server = await startServer({ log, timing })
    const line = JSON.stringify(text('word '.repeat(200_000)))
    const runId = await ingested(server, 'agent-lines', `${line}\n${JSON.stringify(done)}\n`)
    const client = await connect(server, (await log.run(runId))?.threadId ?? '')
    client.socket.pause()
    const before = log.asked()
    for (let count = 0; count < 200; count++) client.send({ type: 'get_messages' })
    const asked = await settled(() => log.asked() - before)
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(60)
    // The server does not read from it either.
    let taken = 0
    const frame = JSON.stringify({ type: 'query', query: 'x'.repeat(MEGABYTE - 100) })
    const send = () => {
      if (taken++ < 60) client.socket.send(frame, send)
    }
    send()
    expect(await settled(() => taken)).toBeLessThan(40)
    const closed = once(client.socket, 'close')
    timing.advance(30_000)
    client.socket.resume()
    expect((await closed)[0]).toBe(1006)
    expect(client.socket.readyState).toBe(WebSocket.CLOSED)
    expect(wholeOf(client.messages).length).toBeLessThan(200)
  })
})

/** The value of a number once it does not change any more. */
async function settled(read: () => number): Promise<number> {
  let last = Number.NaN
  for (let round = 0; round < 200 && last !== read(); round++) {
    last = read()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  return last
}
