import { describe, expect, it } from 'vitest'
import { createRequestWatch, type RequestLine } from '../src/api/request-watch.ts'
import { createHandler } from '../src/handler.ts'
import { memory } from '../src/log/memory.ts'
import { reading } from './frames.ts'
import { closing, connectRaw, upgradeHead } from './raw-socket.ts'
import { createGate, scripted, started, startServer, text, until } from './serving.ts'
import { dial } from './session-client.ts'

async function watched(options: Parameters<typeof startServer>[0] = {}) {
  const lines: RequestLine[] = []
  const server = await startServer({ ...options, onRequest: (line) => lines.push(line) })
  const lineAt = async (path: string) => {
    await until(() => lines.some((line) => line.path === path))
    return lines.find((line) => line.path === path)
  }
  return { server, lines, lineAt }
}

/** A request as the test writes it. Resolves when the connection has ended. */
async function rawRequest(port: number, requestLine: string, headers = [`host: 127.0.0.1:${port}`]): Promise<void> {
  const socket = connectRaw(port)
  socket.write([requestLine, ...headers, 'connection: close', '', ''].join('\r\n'))
  await closing(socket.resume())
}

describe('the line of a request', () => {
  it('has its time, method, path, status, duration and bytes, and no query', async () => {
    const { server, lines, lineAt } = await watched()
    const begin = Date.now()
    const answer = await server.ask('/api/threads?search=secret-words&token=secret-token')
    const length = (await answer.text()).length
    const line = await lineAt('/api/threads')
    expect(line).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      method: 'GET',
      path: '/api/threads',
      status: 200,
      ms: expect.any(Number),
      bytes: expect.any(Number),
    })
    expect(Math.abs(Date.parse(line?.at ?? '') - begin)).toBeLessThan(5_000)
    expect(line?.bytes).toBeGreaterThan(length)
    expect(line?.bytes).toBeLessThan(length + 2_000)
    await fetch(`${server.url}/?token=${server.token}`, { redirect: 'manual' })
    await lineAt('/')
    // As clients of a proxy send it: a whole address, with a user and a query.
    await rawRequest(server.port, `GET http://me:secret-pass@127.0.0.1/api/agents?token=secret-token HTTP/1.1`)
    await lineAt('/api/agents')
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`secret|search|${server.token}`))
  })

  it('names the run and the thread, and repeats nothing that was said', async () => {
    const { server, lines, lineAt } = await watched({ agents: [scripted('one', async function* () {})] })
    await server.send('POST', '/api/threads/t/runs', { input: 'secret words', runId: 'r' })
    expect(await lineAt('/api/threads/t/runs')).toMatchObject({ status: 201, run: 'r', thread: 't' })
    await (await server.ask('/api/runs/r')).text()
    expect(await lineAt('/api/runs/r')).toMatchObject({ status: 200, run: 'r' })
    const body = `${JSON.stringify(text('secret words'))}\n`
    await server.ask('/api/ingest?format=agent-lines&runId=fed&threadId=u', { method: 'POST', body })
    expect(await lineAt('/api/ingest')).toMatchObject({ status: 200, run: 'fed', thread: 'u' })
    await (await server.ask('/api/runs/none')).text()
    expect(await lineAt('/api/runs/none')).toMatchObject({ status: 404, run: 'none' })
    const chat = { id: 'c', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'secret words' }] }] }
    await (await server.send('POST', '/api/chat', chat)).text()
    expect(await lineAt('/api/chat')).toMatchObject({ status: 200, run: expect.any(String), thread: 'c' })
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('of a stream, and of a WebSocket, comes at its end with its whole duration', async () => {
    const gate = createGate()
    const agent = scripted('slow', async function* () {
      yield text('working')
      await gate.opened
    })
    const { server, lines, lineAt } = await watched({ agents: [agent] })
    const runId = await started(server)
    const stream = reading(await server.ask(`/api/runs/${runId}/stream`))
    await stream.until('working')
    const socket = dial(server, `/api/runs/${runId}/ws`)
    await new Promise((resolve) => socket.once('message', resolve))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(lines.map(({ path }) => path)).toEqual(['/api/threads/t/runs'])
    gate.open()
    const sent = Buffer.byteLength(await stream.rest())
    const line = await lineAt(`/api/runs/${runId}/stream`)
    expect(line).toMatchObject({ status: 200, run: runId })
    expect(line?.ms).toBeGreaterThanOrEqual(95)
    expect(line?.bytes).toBeGreaterThan(sent)
    const opened = await lineAt(`/api/runs/${runId}/ws`)
    expect(opened).toMatchObject({ method: 'GET', status: 101, run: runId })
    expect(opened?.ms).toBeGreaterThanOrEqual(95)
    expect(opened?.bytes).toBeGreaterThan(500)
  })

  it('of what is refused, of a request that cannot be read, and of a client that has left', async () => {
    const { server, lines, lineAt } = await watched()
    await fetch(`${server.url}/api/threads`)
    expect(await lineAt('/api/threads')).toMatchObject({ status: 401 })
    const refused = dial(server, '/api/runs/none/ws?token=secret')
    await new Promise((resolve) => refused.once('close', resolve))
    expect(await lineAt('/api/runs/none/ws')).toMatchObject({ status: 404, run: 'none' })
    await server.ask('/api/ingest?format=agent-lines&runId=r', { method: 'POST', body: '{}' })
    const badKey = upgradeHead(server, '/api/runs/r/ws').replace(/^sec-websocket-key: .*$/m, 'sec-websocket-key: x')
    const socket = connectRaw(server.port)
    socket.write(badKey)
    await closing(socket.resume())
    expect(await lineAt('/api/runs/r/ws')).toMatchObject({ status: 400, run: 'r' })
    await rawRequest(server.port, 'GET /unread HTTP/1.0', [])
    expect(await lineAt('/unread')).toMatchObject({ status: 400 })
    const leaving = new AbortController()
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('half')) })
    const upload = { method: 'POST', body, duplex: 'half', signal: leaving.signal } as const
    server.ask('/api/files', upload).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 100))
    leaving.abort()
    expect(await lineAt('/api/files')).toMatchObject({ status: 499 })
    expect(lines).toHaveLength(6)
  })

  it('is one for each request, also of a host with web requests', async () => {
    const lines: RequestLine[] = []
    const log = await memory.open({ folder: '' })
    const options = { log, agents: [], dataFolder: '', token: 'secret-token-of-a-test' }
    const handler = await createHandler({ ...options, onRequest: (line) => lines.push(line) })
    const headers = { authorization: 'Bearer secret-token-of-a-test' }
    const ask = (path: string, init: RequestInit = {}) =>
      handler.fetch(new Request(`http://localhost${path}`, { headers, ...init }))
    const body = `${JSON.stringify(text('one'))}\n`
    await ask('/api/ingest?format=agent-lines&runId=r', { method: 'POST', body })
    const stream = await ask('/api/runs/r/stream')
    await stream.text()
    await until(() => lines.length === 2)
    expect(lines).toMatchObject([
      { method: 'POST', path: '/api/ingest', status: 200, run: 'r' },
      { method: 'GET', path: '/api/runs/r/stream', status: 200, run: 'r' },
    ])
    const list = await ask('/api/threads', { headers: { ...headers, accept: 'text/event-stream' } })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(lines).toHaveLength(2)
    await list.body?.cancel()
    await until(() => lines.length === 3)
    expect(lines[2]?.ms).toBeGreaterThanOrEqual(45)
    await handler.close()
    await log.close()
  })

  it('comes once, whatever ends the request', async () => {
    const seen: string[] = []
    const watch = createRequestWatch(({ path, status }) => seen.push(`${path} ${status}`))
    const request = watch.begin('GET', '/a?b')
    request.end(200)
    request.end(503)
    expect(seen).toEqual(['/a 200'])
    await watch.idle(60_000)
  })

  it('disturbs nothing if its listener throws', async () => {
    const reports: unknown[] = []
    const onRequest = () => {
      throw new Error('the listener fails')
    }
    const server = await startServer({ onRequest, report: (error) => reports.push(error) })
    expect((await server.ask('/api/threads')).status).toBe(200)
    await until(() => reports.length === 1)
    expect((await server.ask('/api/threads')).status).toBe(200)
  })
})
