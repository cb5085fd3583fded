import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { LogError } from '../src/log/errors.ts'
import { memory } from '../src/log/memory.ts'
import type { AgentHost } from '../src/run/agent.ts'
import { reading } from './frames.ts'
import { type Serving, scripted, started, startServer, text, until } from './serving.ts'
import { dial, newSession, pathOf } from './session-client.ts'

const line = (content: string) => `${JSON.stringify(text(content))}\n`
const done = `${JSON.stringify({ type: 'done', data: {} })}\n`

const asking = scripted('asking', async function* (_request, host: AgentHost) {
  yield text('before')
  await host.ask({ message: 'May I?' })
  yield text('after')
  yield { type: 'done', data: {} }
})

/** A body that the test writes, over a connection of its own. */
function openBody({ port, token }: Serving, path: string) {
  const headers = { authorization: `Bearer ${token}` }
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers })
  const answer = new Promise<{ status: number; body: { rawRecords: number; outcome?: string } }>((resolve, reject) => {
    sent.on('error', reject).on('response', async (response) => {
      let body = ''
      for await (const piece of response.setEncoding('utf8')) body += piece
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(body) })
    })
  })
  sent.flushHeaders()
  return { sent, answer }
}

describe('a server that drains', () => {
  it('is ready until then', async () => {
    const server = await startServer()
    const ready = await fetch(`${server.url}/api/ready`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
    server.drain()
    const draining = await fetch(`${server.url}/api/ready`)
    expect([draining.status, await draining.json()]).toEqual([503, { status: 'draining' }])
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
  })

  it('is not ready while the log cannot write', async () => {
    let trouble: LogError | undefined = new LogError('log-full', 'database or disk is full')
    const log = { ...(await memory.open({ folder: '' })), trouble: async () => trouble }
    const server = await startServer({ log })
    const failing = await server.ask('/api/ready')
    expect([failing.status, await failing.json()]).toEqual([503, { status: 'failing', reason: trouble.message }])
    trouble = undefined
    expect((await server.ask('/api/ready')).status).toBe(200)
  })

  it('sends a producer away that it has misread, and says when to try again', async () => {
    const stored = await memory.open({ folder: '' })
    const append = async () => Promise.reject(new LogError('wrong-position', 'r'))
    const server = await startServer({ log: { ...stored, append } })
    const fed = await server.ask('/api/ingest?format=agent-lines&runId=r', { method: 'POST', body: line('One.') })
    expect([fed.status, fed.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await fed.json()).toMatchObject({ error: { code: 'out-of-step' }, rawRecords: 0 })
  })

  it('refuses new runs, and says when to try again', async () => {
    const server = await startServer({ agents: [asking] })
    server.drain()
    const begun = await server.send('POST', '/api/threads/t/runs', { input: 'go', runId: 'new' })
    expect([begun.status, begun.headers.get('retry-after'), await begun.json()]).toEqual([
      503,
      '1',
      { error: { code: 'draining', message: expect.stringContaining('no new runs') } },
    ])
    const fed = await server.ask('/api/ingest?format=agent-lines&runId=fed', { method: 'POST', body: done })
    expect([fed.status, fed.headers.get('retry-after'), await fed.json()]).toEqual([
      503,
      '1',
      { error: { code: 'draining', message: expect.any(String) }, rawRecords: 0 },
    ])
    expect(await server.log.openRuns()).toEqual([])
    expect([await server.log.run('new'), await server.log.run('fed')]).toEqual([undefined, undefined])
  })

  it('goes on with existing runs', async () => {
    const server = await startServer({ agents: [asking] })
    const asked = { input: 'go', runId: 'r' }
    expect((await server.send('POST', '/api/threads/t/runs', asked)).status).toBe(201)
    server.drain()
    // A repeated request is no new run.
    expect((await server.send('POST', '/api/threads/t/runs', asked)).status).toBe(201)
    const stream = reading(await server.ask('/api/runs/r/stream'))
    const [, approvalId = ''] = /"approvalId":"([^"]+)"/.exec(await stream.until('"approvalId":"')) ?? []
    await stream.leave()
    const answer = await server.send('POST', `/api/runs/r/approvals/${approvalId}`, { state: 'approved' })
    expect(answer.status).toBe(200)
    await until(async () => (await server.log.run('r'))?.outcome === 'success')
  })

  it('takes a producer that comes back, and lets a connected one go on', async () => {
    const server = await startServer()
    const first = openBody(server, '/api/ingest?format=agent-lines&runId=r')
    first.sent.write(line('one'))
    await until(async () => (await server.log.run('r'))?.rawRecords === 1)
    server.drain()
    first.sent.write(line('two'))
    await until(async () => (await server.log.run('r'))?.rawRecords === 2)
    first.answer.catch(() => undefined)
    first.sent.destroy()
    await until(async () => (await server.log.run('r'))?.state === 'waiting')
    const again = await server.ask('/api/ingest?format=agent-lines&runId=r&line=2', { method: 'POST', body: done })
    expect([again.status, await again.json()]).toMatchObject([200, { rawRecords: 3, outcome: 'success' }])
  })

  it('begins no queued run: another node does', async () => {
    const { resolve, promise } = Promise.withResolvers<void>()
    const agent = scripted('slow', async function* () {
      yield text('working')
      await promise
      yield { type: 'done', data: {} }
    })
    const server = await startServer({ agents: [agent] })
    const runId = await started(server)
    const message = await server.send('POST', `/api/runs/${runId}/messages`, { text: 'And then?', when: 'next' })
    expect(message.status).toBe(202)
    server.drain()
    resolve()
    await until(async () => (await server.log.run(runId))?.outcome === 'success')
    await new Promise((ready) => setTimeout(ready, 50))
    expect((await server.log.runs('t')).map(({ state }) => state)).toEqual(['ended', 'queued'])
  })

  it('closes the connection after each response, that of a stream too', async () => {
    const server = await startServer({ agents: [scripted('one', async function* () {})] })
    const runId = await started(server)
    const connectionOf = async (path: string) => (await server.ask(path)).headers.get('connection')
    const paths = ['/api/threads', `/api/runs/${runId}/stream`, '/api/health', '/api/unknown', '/']
    for (const path of paths) expect(await connectionOf(path)).toBe('keep-alive')
    server.drain()
    for (const path of paths) expect(await connectionOf(path)).toBe('close')
  })
})

describe('closing', () => {
  it('answers every producer, also one that writes without a pause', async () => {
    const server = await startServer()
    const bodies = Array.from({ length: 8 }, (_, nth) =>
      openBody(server, `/api/ingest?format=agent-lines&runId=r${nth}`),
    )
    const chatter = line('x'.repeat(2_000))
    const writing = bodies.map(({ sent }, nth) => {
      sent.write(line('first'))
      return nth % 2 === 0 ? setInterval(() => sent.write(chatter), 1) : undefined
    })
    const hasOne = async (_body: unknown, nth: number) => ((await server.log.run(`r${nth}`))?.rawRecords ?? 0) > 0
    await until(async () => (await Promise.all(bodies.map(hasOne))).every(Boolean))
    await server.close()
    const answers = await Promise.all(bodies.map(({ answer }) => answer))
    for (const timer of writing) clearInterval(timer)
    for (const [nth, { status, body }] of answers.entries()) {
      expect([status, body]).toMatchObject([503, { error: { code: 'closing' } }])
      expect(body.rawRecords).toBe((await server.log.run(`r${nth}`))?.rawRecords)
    }
  })

  it('cuts every kind of viewer without an end, so that it comes back', async () => {
    const server = await startServer({ agents: [asking] })
    const body = openBody(server, '/api/ingest?format=agent-lines&runId=fed&threadId=u')
    body.sent.write(line('one'))
    await until(async () => (await server.log.run('fed'))?.rawRecords === 1)
    const runId = await started(server)
    const sessionId = await newSession(server)
    const paths = ['native', 'ai-sdk', 'ag-ui', 'ds-agent'].map((wire) => `/api/runs/${runId}/stream?wire=${wire}`)
    paths.push('/api/threads/t/stream', '/api/threads', '/api/runs/fed/commands')
    const accept = { headers: { accept: 'text/event-stream' } }
    const streams = await Promise.all(paths.map(async (path) => reading(await server.ask(path, accept))))
    const cuts = streams.map((stream) =>
      stream.rest().then(
        () => 'ended',
        () => 'cut',
      ),
    )
    const sockets = [`/api/runs/${runId}/ws`, '/api/chat/ws', pathOf(sessionId)].map((path) => dial(server, path))
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))))
    const codes = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    await server.close()
    expect(await Promise.all(cuts)).toEqual(paths.map(() => 'cut'))
    expect(await Promise.all(codes)).toEqual([1006, 1006, 1006])
    expect(await body.answer).toMatchObject({ status: 503, body: { rawRecords: 1 } })
    // The agent asks: the run stays open for the answer, and no node owns it.
    expect((await server.log.expired()).map(({ id }) => id)).toEqual([runId])
  })

  it('waits no longer than a second for a client that does not finish', async () => {
    const server = await startServer()
    const upload = openBody(server, '/api/files')
    upload.sent.write('half')
    upload.answer.catch(() => undefined)
    await until(async () => (await (await server.ask('/metrics')).text()).includes('millrace_http_requests_total'))
    const begin = performance.now()
    await server.close()
    expect(performance.now() - begin).toBeLessThan(5_000)
  })
})
