import { once } from 'node:events'
import type { Chunk } from '@millrace/core/wire/wire'
import { describe, expect, it } from 'vitest'
import { readDsAgent } from '../../../proofs/wires/readers/ds-agent.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { asking, call, done, result, talking } from './scripted-agents.ts'
import { createGate, scripted, startServer, text, until } from './serving.ts'
import {
  approvalsIn,
  connect,
  cursorOf,
  dial,
  isOf,
  newSession,
  pathOf,
  type RunMessage,
  shown,
  wholeOf,
} from './session-client.ts'

/** Sends a word, and the next when its gate is opened. */
function createSlow() {
  const gate = createGate()
  const agent = scripted('slow', async function* ({ signal }) {
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield text('one ')
    yield text('two ')
    await Promise.race([gate.opened, stopped])
    yield text('three')
    yield done
  })
  return { gate, agent }
}

const typesOf = (messages: readonly RunMessage[]) => wholeOf(messages).map(({ metadata }) => metadata.message_type)

describe("a session's WebSocket", () => {
  it('S2-46: sends the messages of a query in order, each with its position in the run', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'hello' })
    await client.untilSaid('final_answer')
    const [question, ...rest] = wholeOf(client.messages)
    expect(question).toMatchObject({ role: 'user', content: 'hello', session_id: id })
    expect(rest.map(({ role }) => role)).toEqual(rest.map(() => 'assistant'))
    const types = typesOf(client.messages)
    const order = ['tool_call', 'tool_invocation', 'observation', 'final_answer'].map((type) => types.indexOf(type))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(order).not.toContain(-1)
    expect(types.at(-1)).toBe('final_answer')
    expect(shown(client.messages).join('\n')).toContain('You said hello, after 0.')
    const [run] = await server.log.runs(id)
    const cursors = client.messages.map(cursorOf)
    expect(new Set(cursors).size).toBe(cursors.length)
    expect(cursors.every((cursor) => cursor.startsWith(`${run?.id}:`))).toBe(true)
    expect(client.controls).toEqual([])
    expect(() => readDsAgent(client.messages as unknown as Chunk[])).not.toThrow()
  })

  it("works with Node's own WebSocket", async () => {
    const server = await startServer({ agents: [talking] })
    const address = `${server.url.replace('http', 'ws')}${pathOf(await newSession(server))}`
    const headers = { authorization: `Bearer ${server.token}` }
    const socket = new WebSocket(address, { headers } as unknown as string[])
    let said = ''
    socket.addEventListener('message', ({ data }) => {
      said += data
    })
    socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'query', query: 'hello' })))
    await until(() => said.includes('"final_answer"'))
    socket.close()
    expect(said).toContain('You said hello, after 0.')
  })

  it('continues in the same session, and the agent gets the history', async () => {
    const server = await startServer({ agents: [talking] })
    const client = await connect(server, await newSession(server))
    for (const [at, query] of ['hello', 'again'].entries()) {
      client.send({ type: 'query', query })
      await client.untilSaid('final_answer', at + 1)
    }
    expect(shown(client.messages).join('\n')).toContain('You said again, after 2.')
  })

  it('sends each part before the agent has sent the next', async () => {
    const { gate, agent } = createSlow()
    const server = await startServer({ agents: [agent] })
    const client = await connect(server, await newSession(server))
    client.send({ type: 'query', query: 'go' })
    await until(() => shown(client.messages).includes('one two '))
    expect(client.messages.some(isOf('final_answer'))).toBe(false)
    gate.open()
    await client.untilSaid('final_answer')
    expect(shown(client.messages)).toContain('one two three')
  })

  it('sends the whole text so far if a client requests it', async () => {
    const { gate, agent } = createSlow()
    const server = await startServer({ agents: [agent] })
    const client = await connect(server, await newSession(server), '?profile=cumulative')
    client.send({ type: 'query', query: 'go' })
    await until(() => client.messages.some(({ metadata }) => metadata.is_delta === true))
    gate.open()
    await client.untilSaid('final_answer')
    const pieces = client.messages.filter(({ metadata }) => metadata.is_delta === true).map(({ content }) => content)
    for (const piece of pieces) expect('one two three'.startsWith(piece)).toBe(true)
    expect(wholeOf(client.messages).at(-1)?.content).toBe('one two three')
  })

  it('answers a ping, and reports the state of the session', async () => {
    const { gate, agent } = createSlow()
    const server = await startServer({ agents: [agent] })
    const id = await newSession(server)
    const client = await connect(server, id)
    expect(await client.ask({ type: 'ping' })).toEqual({ type: 'pong' })
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    const fixed = { session_id: id, agent_type: 'slow', created_at: time, last_activity: time }
    const stateOf = async () => (await client.ask({ type: 'get_state' })).state
    expect(await stateOf()).toEqual({ ...fixed, state: 'idle', message_count: 0 })
    client.send({ type: 'query', query: 'go' })
    await until(() => shown(client.messages).includes('one two '))
    expect(await stateOf()).toMatchObject({ ...fixed, state: 'processing' })
    gate.open()
    await client.untilSaid('final_answer')
    const { length } = wholeOf(client.messages)
    expect(await stateOf()).toEqual({ ...fixed, state: 'completed', message_count: length })
  })

  it('refuses a query while another one runs, and accepts the next one after it', async () => {
    const { gate, agent } = createSlow()
    const server = await startServer({ agents: [agent] })
    const id = await newSession(server)
    const [client, other] = [await connect(server, id), await connect(server, id)]
    const busy = { type: 'error', message: 'Session is already processing a query', error_code: 'session-busy' }
    client.send({ type: 'query', query: 'go' })
    expect(await client.ask({ type: 'query', query: 'go' })).toEqual(busy)
    expect(await other.ask({ type: 'query', query: 'go' })).toEqual(busy)
    gate.open()
    await client.untilSaid('final_answer')
    client.send({ type: 'query', query: 'next' })
    await client.untilSaid('final_answer', 2)
    expect(await server.log.runs(id)).toHaveLength(2)
  })

  it('sends the same run to every client of the session, and encodes it once', async () => {
    const log = await memory.open({ folder: '' })
    let readers = 0
    const lines: Log['lines'] = (runId, options) => {
      if (options.live) readers++
      return log.lines(runId, options)
    }
    const server = await startServer({ agents: [talking], log: { ...log, lines } })
    const id = await newSession(server)
    const clients = await Promise.all([1, 2, 3].map(() => connect(server, id)))
    clients[1]?.send({ type: 'query', query: 'hello' })
    for (const client of clients) await client.untilSaid('final_answer')
    for (const client of clients) expect(client.messages).toEqual(clients[0]?.messages)
    expect(readers).toBe(1)
  })

  it('replays the history as complete messages, up to what the client already got', async () => {
    const { gate, agent } = createSlow()
    const server = await startServer({ agents: [agent] })
    const id = await newSession(server)
    const client = await connect(server, id)
    gate.open()
    client.send({ type: 'query', query: 'go' })
    await client.untilSaid('final_answer')
    const whole = wholeOf(client.messages)
    const count = client.messages.length
    client.send({ type: 'get_messages' })
    client.send({ type: 'get_messages', limit: 2 })
    await client.ask({ type: 'ping' })
    expect(client.messages.slice(count)).toEqual([...whole, ...whole.slice(-2)])
  })

  it('asks for an approval, and accepts the answer', async () => {
    const server = await startServer({ agents: [asking] })
    const client = await connect(server, await newSession(server))
    client.send({ type: 'query', query: 'repair it' })
    for (const [at, approved] of [true, false].entries()) {
      await until(() => approvalsIn(client.messages).length > at)
      const approval_id = approvalsIn(client.messages)[at]
      expect(await client.ask({ type: 'query', query: 'hello?' })).toMatchObject({ error_code: 'session-busy' })
      client.send({ type: 'approve', approval_id, approved, message: 'I say so.' })
      await until(() => JSON.stringify(client.messages).includes(approved ? 'it is approved' : 'it is denied'))
    }
    await client.untilSaid('final_answer')
    expect(shown(client.messages)).toContain('All done.')
    const late = await client.ask({ type: 'approve', approval_id: 'long-gone', approved: true })
    expect(late).toMatchObject({ type: 'error', error_code: 'not-asked' })
  })

  it('stops a run on request, and reports if there is none', async () => {
    const { agent } = createSlow()
    const server = await startServer({ agents: [agent] })
    const id = await newSession(server)
    const client = await connect(server, id)
    expect(await client.ask({ type: 'stop' })).toMatchObject({ type: 'error', error_code: 'not-running' })
    client.send({ type: 'query', query: 'go' })
    await until(() => shown(client.messages).includes('one two '))
    client.send({ type: 'stop' })
    await until(async () => (await server.log.runs(id))[0]?.outcome === 'cancelled')
    expect(await client.ask({ type: 'get_state' })).toMatchObject({ state: { state: 'idle' } })
  })

  it('sends a run that was started elsewhere to all connected clients', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const client = await connect(server, id)
    await server.send('POST', `/api/threads/${id}/runs`, { input: 'hello' })
    await client.untilSaid('final_answer')
    expect(shown(client.messages)).toContain('hello')
  })

  it('reports a run that fails', async () => {
    const failing = scripted('failing', async function* () {
      yield call('c1')
      yield result('c1', 'turned')
      throw new RangeError('The wheel is broken.')
    })
    const server = await startServer({ agents: [failing], report: () => {} })
    const client = await connect(server, await newSession(server))
    client.send({ type: 'query', query: 'go' })
    await client.untilSaid('error')
    const last = wholeOf(client.messages).at(-1)
    expect(last?.metadata).toMatchObject({ message_type: 'error', error: true, error_type: 'RangeError' })
    expect(last?.content).toContain('The wheel is broken.')
    expect(await client.ask({ type: 'get_state' })).toMatchObject({ state: { state: 'error' } })
  })

  it.each<[string, string, { readonly [name: string]: string }, number]>([
    ['no token', 'ID', { authorization: '' }, 401],
    ['a foreign page', 'ID', { origin: 'https://evil.example' }, 403],
    ['an unknown session', 'nowhere', {}, 404],
    ['an unknown profile', 'ID?profile=loud', {}, 400],
    ['a cursor without a run', 'ID?after=3.0', {}, 404],
    ['a run of another session', 'ID?after=run_x:3.0', {}, 404],
  ])('refuses %s before the handshake', async (_name, path, headers, status) => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const socket = dial(server, path === 'nowhere' ? pathOf('nowhere') : path.replace('ID', pathOf(id)), headers)
    const [, response] = await once(socket, 'unexpected-response')
    response.destroy()
    expect(response.statusCode).toBe(status)
  })
})
