import { once } from 'node:events'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  createGate,
  createTiming,
  ingested,
  type Serving,
  scripted,
  started,
  startServer,
  text,
  until,
} from './serving.ts'

interface Frame {
  readonly id: string
  readonly chunk: { readonly [field: string]: unknown }
}

const [recording] = fixturesOf('agent-lines').filter(({ name }) => name.includes('deepagents'))

function open({ url, token }: Serving, path: string, headers: { readonly [name: string]: string } = {}): WebSocket {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  socket.on('error', () => {})
  return socket
}

async function framesOf(socket: WebSocket): Promise<{ readonly frames: readonly Frame[]; readonly code: number }> {
  const frames: Frame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  const [code] = (await once(socket, 'close')) as [number]
  return { frames, code }
}

async function refusal(socket: WebSocket): Promise<number> {
  const [, response] = await once(socket, 'unexpected-response')
  response.destroy()
  return response.statusCode
}

describe('a run over a WebSocket', () => {
  it.each(['native', 'ai-sdk'])('sends exactly what follows each cursor of %s', async (wire) => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', recording?.bytes ?? '')
    const path = `/api/runs/${runId}/ws?wire=${wire}`
    const { frames, code } = await framesOf(open(server, path))
    expect(code).toBe(1000)
    const sse = await (await server.ask(`/api/runs/${runId}/stream?wire=${wire}`)).text()
    for (const { id, chunk } of frames) expect(sse).toContain(`data: ${JSON.stringify(chunk)}\nid: ${id}\n\n`)
    for (const [index, { id }] of frames.entries()) {
      const rest = await framesOf(open(server, `${path}&after=${id}`))
      expect(rest.frames).toEqual(frames.slice(index + 1))
    }
  })

  it('sends each entry before the agent has sent the next', async () => {
    const gate = createGate()
    const agent = scripted('slow', async function* () {
      yield text('first')
      await gate.opened
      yield text('second')
    })
    const server = await startServer({ agents: [agent] })
    const runId = await started(server)
    const socket = open(server, `/api/runs/${runId}/ws`)
    let seen = ''
    socket.on('message', (data) => {
      seen += String(data)
    })
    await until(() => seen.includes('first'))
    gate.open()
    await once(socket, 'close')
    expect(seen).toContain('second')
  })

  it('is closed if a client does not answer two pings', async () => {
    const timing = createTiming()
    const agent = scripted('silent', async function* ({ signal }) {
      yield text('one')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    const server = await startServer({ agents: [agent], timing })
    const runId = await started(server)
    const answering = open(server, `/api/runs/${runId}/ws`)
    const silent = new WebSocket(`${server.url.replace('http', 'ws')}/api/runs/${runId}/ws`, {
      headers: { authorization: `Bearer ${server.token}` },
      autoPong: false,
    })
    silent.on('error', () => {})
    const pings: string[] = []
    answering.on('ping', () => pings.push('answering'))
    silent.on('ping', () => pings.push('silent'))
    await Promise.all([once(answering, 'message'), once(silent, 'message')])
    const closed = once(silent, 'close')
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      timing.advance(15_000)
    }
    await closed
    expect(pings.filter((who) => who === 'silent')).toHaveLength(2)
    await until(() => pings.filter((who) => who === 'answering').length === 3)
    expect(answering.readyState).toBe(WebSocket.OPEN)
    answering.terminate()
  })

  it.each<[string, string, { readonly [name: string]: string }, number]>([
    ['no token', '/api/runs/RUN/ws', { authorization: '' }, 401],
    ['a wrong token', '/api/runs/RUN/ws', { authorization: 'Bearer nope' }, 401],
    ['a foreign page', '/api/runs/RUN/ws', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', '/api/runs/RUN/ws', { origin: 'null' }, 403],
    ['another name for this address', '/api/runs/RUN/ws', { host: 'evil.example' }, 403],
    ['an unknown run', '/api/runs/nowhere/ws', {}, 404],
    ['another path', '/api/elsewhere', {}, 404],
    ['a path that is not valid', '/api/runs/%ff/ws', {}, 400],
    ['an unknown wire', '/api/runs/RUN/ws?wire=telegraph', {}, 400],
    ['a cursor that is not valid', '/api/runs/RUN/ws?after=x', {}, 400],
  ])('refuses %s', async (_name, path, headers, status) => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', recording?.bytes ?? '')
    expect(await refusal(open(server, path.replace('RUN', runId), headers))).toBe(status)
  })

  it('answers a plain request with 426', async () => {
    const server = await startServer()
    expect((await server.ask('/api/runs/x/ws')).status).toBe(426)
  })
})
