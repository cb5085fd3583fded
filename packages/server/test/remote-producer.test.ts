import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { eventsOf } from './run-parts.ts'
import { type Serving, startServer, until } from './serving.ts'

const program = fileURLToPath(new URL('./programs/remote_producer.py', import.meta.url))

const missing = ['python3', 'curl'].filter((name) => spawnSync(name, ['--version']).status !== 0)
const reason = missing.length > 0 ? ` (skipped: ${missing.join(' and ')} cannot be run here)` : ''

interface Remote {
  /** The commands that the program has heard. */
  readonly heard: { readonly type: string }[]
  readonly python: ChildProcess
  /** What the server answered to the pipe. */
  readonly answer: Promise<string>
}

/** `python3 remote_producer.py | curl -T . …/api/ingest` */
async function producing({ url, token, log }: Serving): Promise<Remote> {
  const python = spawn('python3', [program, url, token ?? '', 'r'], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ingest = `${url}/api/ingest?format=ai-sdk&runId=r&threadId=t`
  const curl = spawn('curl', ['-sN', '-X', 'POST', '-T', '.', '-H', `authorization: Bearer ${token}`, ingest])
  python.stdout.pipe(curl.stdin).on('error', () => undefined)
  const heard: Remote['heard'] = []
  createInterface({ input: python.stderr }).on('line', (line) => heard.push(JSON.parse(line)))
  let answer = ''
  curl.stdout.on('data', (piece) => {
    answer += piece
  })
  await until(async () => (await log.run('r'))?.rawRecords === 3)
  // The run exists: the program can follow it.
  python.stdin.write('go\n')
  await until(() => log.isFollowed('r'))
  return { heard, python, answer: once(curl, 'close').then(() => answer) }
}

describe.skipIf(missing.length > 0)(`a producer elsewhere, in Python behind curl${reason}`, () => {
  it('is answered and steered, and goes on', async () => {
    const server = await startServer()
    const { heard, answer } = await producing(server)
    expect((await server.send('POST', '/api/runs/r/approvals/own', { state: 'approved' })).status).toBe(200)
    const steered = await server.send('POST', '/api/runs/r/messages', { text: 'Left!', messageId: 'msg_1', by: 'ada' })
    expect([steered.status, await steered.json()]).toEqual([202, { messageId: 'msg_1', delivered: 'now' }])
    const repeated = await server.send('POST', '/api/runs/r/messages', { text: 'Left!', messageId: 'msg_1', by: 'ada' })
    expect(repeated.status).toBe(202)
    await server.send('POST', '/api/runs/r/messages', { text: 'Enough.' })
    expect(JSON.parse(await answer)).toMatchObject({ runId: 'r', outcome: 'success' })
    expect(heard).toMatchObject([
      { number: 1, type: 'answer', approvalId: 'own', answer: { state: 'approved' } },
      { number: 2, type: 'steer', messageId: 'msg_1', text: 'Left!', by: 'ada' },
      { number: 3, type: 'steer', text: 'Enough.' },
    ])
    const texts = (await eventsOf(server.log, 'r')).map((event) => ('text' in event ? event.text : '')).join('')
    expect(texts).toContain('Left!')
    expect(texts).toContain('Heard: Left!')
    expect(await (await server.ask('/api/runs/r/verify')).json()).toMatchObject({ reread: 'same', problems: [] })
    const late = await server.send('POST', '/api/runs/r/messages', { text: 'Hello?' })
    expect([late.status, await late.json()]).toMatchObject([409, { error: { code: 'run-closed' } }])
  })

  it('is stopped, and hears of it', async () => {
    const server = await startServer()
    const { heard, python, answer } = await producing(server)
    const stopped = await server.send('POST', '/api/runs/r/stop', { by: 'ada' })
    expect(await stopped.json()).toEqual({ runId: 'r', stopped: true })
    expect(JSON.parse(await answer).error.code).toBe('run-closed')
    await until(() => python.exitCode !== null)
    expect(heard).toMatchObject([{ type: 'stop', by: 'ada' }])
    expect((await server.log.run('r'))?.outcome).toBe('cancelled')
  })
})

describe('a producer that nobody sends commands to', () => {
  const ingest = (server: Serving, lines: string) =>
    server.ask('/api/ingest?format=agent-lines&runId=r&threadId=t', { method: 'POST', body: lines })

  it('cannot be steered, but the run can be stopped', async () => {
    const server = await startServer()
    await server.log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
    await server.log.release('r', 0)
    const steered = await server.send('POST', '/api/runs/r/messages', { text: 'Left!' })
    expect([steered.status, await steered.json()]).toMatchObject([409, { error: { code: 'nobody-listens' } }])
    expect(await (await server.send('POST', '/api/runs/r/stop', {})).json()).toEqual({ runId: 'r', stopped: true })
  })

  it.each([
    ['POST', '/api/runs/r/messages', { text: ' ' }, 400],
    ['POST', '/api/runs/r/messages', { text: 'a', messageId: 'a/b' }, 400],
    ['POST', '/api/runs/none/messages', { text: 'a' }, 404],
    ['DELETE', '/api/runs/r/messages/msg_1', undefined, 409],
    ['GET', '/api/runs/none/commands', undefined, 404],
    ['GET', '/api/runs/r/commands?after=x', undefined, 400],
  ])('gets an answer to %s %s', async (method, path, body, status) => {
    const server = await startServer()
    await ingest(server, '{"type":"done","data":{}}\n')
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
    expect((await server.ask(path, init)).status).toBe(status)
  })

  it('may read the commands of an ended run, after any of them', async () => {
    const server = await startServer()
    await server.log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
    await server.log.release('r', 0)
    await server.send('POST', '/api/runs/r/stop', {})
    const all = await (await server.ask('/api/runs/r/commands')).text()
    expect(all).toBe('id: 1\nevent: command\ndata: {"number":1,"type":"stop"}\n\n')
    expect(await (await server.ask('/api/runs/r/commands?after=1')).text()).toBe('')
    expect(await (await server.ask('/api/runs/r/commands', { headers: { 'last-event-id': '1' } })).text()).toBe('')
  })
})
