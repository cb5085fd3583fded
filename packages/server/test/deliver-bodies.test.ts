import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { routes } from '../src/api/routes/index.ts'
import { closing, connectRaw } from './raw-socket.ts'
import { talking } from './scripted-agents.ts'
import { startServer } from './serving.ts'

/** Every route that reads a body. */
const reading = [
  ['POST', '/api/threads'],
  ['PATCH', '/api/threads/t'],
  ['POST', '/api/threads/t/runs'],
  ['POST', '/api/runs/r/approvals/a'],
  ['POST', '/api/ingest?format=agent-lines'],
  ['PUT', '/api/ingest?format=agent-lines'],
  ['POST', '/api/files'],
  ['POST', '/api/chat'],
  ['POST', '/api/ag-ui/talking'],
  ['POST', '/api/v2/sessions'],
] as const

describe('a body', () => {
  it.each(['gzip', 'br', 'gzip, identity', 'x-unknown'])(
    'that is encoded as %s gets 415, on every route',
    async (encoding) => {
      const server = await startServer({ agents: [talking] })
      await server.send('POST', '/api/threads', { id: 't' })
      await server.ask('/api/ingest?format=agent-lines&runId=r', {
        method: 'POST',
        body: '{"type":"done","data":{}}\n',
      })
      const body = gzipSync('{"type":"done","data":{}}\n')
      for (const [method, path] of reading) {
        const response = await server.ask(path, { method, body, headers: { 'content-encoding': encoding } })
        expect([path, response.status, await response.json()]).toMatchObject([
          path,
          415,
          { error: { code: 'encoded-body', message: expect.stringContaining(encoding) } },
        ])
      }
    },
  )

  it('with the encoding `identity` is read', async () => {
    const server = await startServer()
    for (const encoding of ['identity', 'Identity']) {
      const headers = { 'content-encoding': encoding }
      const body = '{"type":"done","data":{}}\n'
      expect((await server.ask('/api/ingest?format=agent-lines', { method: 'POST', body, headers })).status).toBe(200)
    }
  })

  it('that is interrupted is not reported as an error, on any route', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const informed = vi.spyOn(console, 'info').mockImplementation(() => {})
    onTestFinished(() => {
      printed.mockRestore()
      informed.mockRestore()
    })
    const reported: unknown[] = []
    const server = await startServer({ report: (error) => reported.push(error) })
    const changing = routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => [method, path] as const)
    for (const [method, path] of [...reading, ...changing]) {
      for (const isReset of [true, false]) {
        const socket = connectRaw(server.port)
        const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${server.token}\r\n`
        socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"title":`)
        await setTimeout(10)
        if (isReset) socket.resetAndDestroy()
        else socket.destroy()
        await closing(socket)
      }
    }
    await setTimeout(100)
    expect((await server.ask('/api/health')).status).toBe(200)
    expect([reported, printed.mock.calls, informed.mock.calls]).toEqual([[], [], []])
  })
})
