import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { framesOf } from './frames.ts'
import { done } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'

/** Speaks in many pieces. */
const wordy = scripted('wordy', async function* () {
  for (let number = 1; number <= 60; number++) yield text(`word ${number} and some more of it, `)
  yield done
})

const chatBody = (id = 'u1') => ({
  id: 'chat-1',
  messages: [{ id, role: 'user', parts: [{ type: 'text', text: 'go' }] }],
})
const agUiBody = { threadId: 'thread-1', runId: 'run-1', messages: [{ id: 'u1', role: 'user', content: 'go' }] }

const requests: readonly [string, string, object][] = [
  ['chat', '/api/chat', chatBody()],
  ['AG-UI', '/api/ag-ui/wordy', agUiBody],
]

describe.each(requests)('a request over %s that is repeated with a cursor', (_name, path, body) => {
  it('gets exactly what follows, wherever the answer was cut', async () => {
    const server = await startServer({ agents: [wordy] })
    const whole = framesOf(await (await server.send('POST', path, body)).text())
    const withIds = whole.filter(({ id }) => id !== undefined)
    expect(withIds.length).toBeGreaterThan(60)
    for (const at of [0, 1, 30, withIds.length - 2]) {
      const cursor = withIds[at]?.id ?? ''
      const rest = await server.send('POST', path, body, { 'last-event-id': cursor })
      expect(framesOf(await rest.text())).toEqual(whole.slice(whole.indexOf(withIds[at] as never) + 1))
    }
    expect(await server.log.runs(path === '/api/chat' ? 'chat-1' : 'thread-1')).toHaveLength(1)
  })

  it('is refused if the cursor is none, before anything is started', async () => {
    const server = await startServer({ agents: [wordy] })
    const response = await server.send('POST', path, body, { 'last-event-id': 'yesterday' })
    expect([response.status, await server.log.threads({})]).toMatchObject([400, { items: [] }])
  })
})

describe('a new question', () => {
  it('is answered from its first chunk, whatever the client has read before', async () => {
    const server = await startServer({ agents: [wordy] })
    const first = framesOf(await (await server.send('POST', '/api/chat', chatBody())).text())
    for (const cursor of ['3.0', '40.0', '9999.0']) {
      const next = await server.send('POST', '/api/chat', chatBody(`u-${cursor}`), { 'last-event-id': cursor })
      expect(framesOf(await next.text())).toHaveLength(first.length)
    }
  })
})

describe('GET /api/chat/:id/stream with a cursor', () => {
  it('gives the rest of a live answer, of an ended one, and 204 at its end', async () => {
    const gate = createGate()
    const slow = scripted('slow', async function* () {
      yield text('one ')
      await gate.opened
      yield text('two')
      yield done
    })
    const server = await startServer({ agents: [slow] })
    const answer = server.send('POST', '/api/chat', chatBody()).then((response) => response.text())
    await until(async () => ((await server.log.runs('chat-1'))[0]?.seq ?? 0) > 2)
    const live = await reconnect(server, '2.0')
    gate.open()
    const whole = framesOf(await answer)
    const rest = framesOf(await live.text())
    expect(rest).toEqual(whole.slice(-rest.length))
    expect(rest.length).toBeLessThan(whole.length)
    const ids = whole.flatMap(({ id }) => id ?? [])
    const ended = framesOf(await (await reconnect(server, ids[1] ?? '')).text())
    expect(ended.map(({ id }) => id)).toEqual(whole.slice(2).map(({ id }) => id))
    expect((await reconnect(server, ids.at(-1) ?? '')).status).toBe(204)
    expect((await server.ask('/api/chat/nowhere/stream', { headers: { 'last-event-id': '1.0' } })).status).toBe(204)
  })

  it('means the last run: what an earlier run said carries no cursor', async () => {
    const gate = createGate()
    const looking = scripted(
      'looking',
      async function* ({ input }) {
        yield { type: 'start' }
        if (input.toolOutputs !== undefined) await gate.opened
        const call = { toolCallId: 'c1', toolName: 'look', dynamic: true }
        const ours = { providerMetadata: { millrace: { runBy: 'client' } }, input: {} }
        if (input.toolOutputs === undefined) yield { type: 'tool-input-available', ...call, ...ours }
        yield { type: 'finish' }
      },
      'ai-sdk',
    )
    const server = await startServer({ agents: [looking] })
    await (await server.send('POST', '/api/chat', chatBody())).text()
    const [{ id } = { id: '' }] = await server.log.runs('chat-1')
    const part = { type: 'dynamic-tool', toolName: 'look', toolCallId: 'c1', state: 'output-available', output: 1 }
    const messages = [...chatBody().messages, { id, role: 'assistant', parts: [part] }]
    const second = server.send('POST', '/api/chat', { id: 'chat-1', messages }).then((response) => response.text())
    await until(async () => ((await server.log.runs('chat-1'))[1]?.seq ?? 0) > 0)
    const whole = await reconnect(server, '')
    gate.open()
    const frames = framesOf(await whole.text())
    const firstCursor = frames.findIndex((frame) => frame.id !== undefined)
    expect(JSON.stringify(frames.slice(0, firstCursor))).toContain('tool-input-available')
    const own = framesOf(await second).filter((frame) => frame.id !== undefined)
    expect(frames.slice(firstCursor).filter((frame) => frame.id !== undefined)).toEqual(own)
  })
})

const reconnect = (server: Serving, cursor: string) =>
  server.ask('/api/chat/chat-1/stream', { headers: { 'last-event-id': cursor } })

describe('a proxy that cuts every response after some bytes', () => {
  it('delays a client that repeats its request with its cursor, and loses nothing', async () => {
    const server = await startServer({ agents: [wordy] })
    const proxy = await cuttingProxy(server.url, 2_500)
    try {
      const seen: string[] = []
      let cursor: string | undefined
      let rounds = 0
      while (!seen.at(-1)?.includes('RUN_FINISHED') && rounds++ < 100) {
        const received = await readUntilCut(`${proxy.url}/api/ag-ui/wordy`, server.token, cursor)
        for (const { id, data } of framesOf(received)) {
          seen.push(data)
          cursor = id ?? cursor
        }
      }
      const whole = await (await server.send('POST', '/api/ag-ui/wordy', agUiBody)).text()
      expect(rounds).toBeGreaterThan(2)
      expect(seen).toEqual(framesOf(whole).map(({ data }) => data))
    } finally {
      await proxy.close()
    }
  })
})

/** What arrives before the connection is cut. An event without its empty line is dropped, as clients do. */
async function readUntilCut(url: string, token: string | undefined, cursor: string | undefined): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, ...(cursor !== undefined && { 'last-event-id': cursor }) }
  let received = ''
  try {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(agUiBody), headers })
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) received += decoder.decode(bytes, { stream: true })
  } catch {
    // Cut.
  }
  return received.slice(0, received.lastIndexOf('\n\n') + 2)
}

async function cuttingProxy(target: string, most: number) {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const onward = httpRequest(`${target}${url}`, { method, headers: { ...headers, host: new URL(target).host } })
    onward.on('response', (response) => {
      let left = most
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.on('data', (bytes: Buffer) => {
        outgoing.write(bytes.subarray(0, left))
        left -= bytes.length
        if (left <= 0) setTimeout(() => outgoing.destroy(), 5)
      })
      response.on('end', () => left > 0 && outgoing.end())
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => proxy.close(resolve)),
  }
}
