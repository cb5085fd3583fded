import { registerWire, wires } from '@millrace/core/wire'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createHandler, type HandlerOptions } from '../src/handler.ts'
import { memory } from '../src/log/memory.ts'
import { ask, type Headers } from './raw-request.ts'
import { ingested, startServer } from './serving.ts'

const shop = 'https://shop.example'
const origins = [shop, 'http://localhost:5173']
const line = '{"type":"text","data":{"content":"flour"}}\n{"type":"done","data":{}}\n'

const ofCors = (headers: NodeJS.Dict<string | string[]>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'))
const preflight = (origin: string) => ({ origin, 'access-control-request-method': 'POST' })

describe('a page of a named origin', () => {
  it('is told before its request which methods and headers it may send, without a token', async () => {
    const server = await startServer({ origins })
    for (const path of ['/api/threads', '/api/runs/x/stream', '/api/nowhere']) {
      const { status, headers, text } = await ask(server, 'OPTIONS', path, preflight(shop))
      expect([status, text]).toEqual([204, ''])
      expect(headers['access-control-allow-origin']).toBe(shop)
      expect(String(headers['access-control-allow-methods']).split(', ').sort()).toEqual(
        ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'].sort(),
      )
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
      for (const name of ['authorization', 'content-type', 'last-event-id', 'idempotency-key', 'if-none-match'])
        expect(allowed).toContain(name)
      expect(headers.vary).toBe('Origin')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('may read every answer: data, streams, files and refusals', async () => {
    const server = await startServer({ origins })
    const runId = await ingested(server, 'agent-lines', line)
    const threadId = (await server.log.run(runId))?.threadId
    const authorization = `Bearer ${server.token}`
    const site = { origin: shop, 'sec-fetch-site': 'cross-site' }
    const asked: [string, string, Headers, number][] = [
      ['GET', '/api/threads', { authorization }, 200],
      ['GET', `/api/runs/${runId}/stream?wire=ai-sdk`, { authorization }, 200],
      ['HEAD', `/api/runs/${runId}/stream`, { authorization }, 200],
      ['HEAD', `/api/threads/${threadId}/stream`, { authorization }, 200],
      ['HEAD', '/api/threads', { authorization, accept: 'text/event-stream' }, 200],
      ['GET', '/api/threads/none/stream', { authorization }, 404],
      ['GET', '/api/threads', {}, 401],
      ['GET', '/api/runs/none/stream', { authorization }, 404],
      ['GET', '/api/nowhere', { authorization }, 404],
      ['DELETE', '/api/health', { authorization }, 405],
      ['POST', '/api/ingest', { authorization }, 400],
    ]
    for (const [method, path, more, expected] of asked) {
      const { status, headers } = await ask(server, method, path, { ...site, ...more })
      const named = headers['access-control-allow-origin']
      expect([method, path, status, named, headers.vary]).toEqual([method, path, expected, shop, 'Origin'])
      expect(headers['access-control-expose-headers']).toMatch(/ETag.*x-vercel-ai-ui-message-stream/)
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  it.each([
    'https://evil.example',
    'https://shop.example.evil.example',
    'https://shop.example:444',
    'http://shop.example',
    'https://shop.exampl',
    'https://sub.shop.example',
    'null',
  ])('is not %s: that is refused as ever, without such headers', async (origin) => {
    const server = await startServer({ origins })
    const authorization = `Bearer ${server.token}`
    for (const [method, headers] of [
      ['OPTIONS', preflight(origin)],
      ['GET', { origin, authorization }],
      ['POST', { origin, authorization }],
    ] as const) {
      const { status, headers: answered } = await ask(server, method, '/api/threads', headers)
      expect([method, status, ofCors(answered), answered.vary]).toEqual([method, 403, [], 'Origin'])
    }
  })

  it('may read the headers of a wire that this process added', async () => {
    const remove = registerWire('own-wire', { ...wires.native, headers: { 'x-own-wire': '1' } })
    onTestFinished(remove)
    const server = await startServer({ origins })
    const { headers } = await ask(server, 'GET', '/api/health', { origin: shop })
    expect(headers['access-control-expose-headers']).toContain('x-own-wire')
  })

  it('is not needed by programs: their answers differ by origin, and say so', async () => {
    const server = await startServer({ origins })
    const { headers } = await server.ask('/api/threads')
    expect([headers.get('vary'), headers.get('access-control-allow-origin')]).toEqual(['Origin', null])
    const without = await startServer()
    expect((await without.ask('/api/threads')).headers.get('vary')).toBeNull()
  })

  it('may open a WebSocket, as no other page may', async () => {
    const server = await startServer({ origins })
    const runId = await ingested(server, 'agent-lines', line)
    const opens = (origin: string) =>
      new Promise<boolean>((resolve) => {
        const url = `ws://127.0.0.1:${server.port}/api/runs/${runId}/ws`
        const socket = new WebSocket(url, { origin, headers: { authorization: `Bearer ${server.token}` } })
        socket.on('open', () => resolve(true)).on('error', () => resolve(false))
        socket.on('message', () => socket.close())
      })
    expect([await opens(shop), await opens('https://shop.example.evil.example')]).toEqual([true, false])
  })

  it('does not make every OPTIONS a preflight', async () => {
    const server = await startServer({ origins })
    expect((await ask(server, 'OPTIONS', '/api/threads', { origin: shop })).status).toBe(401)
    expect((await ask(server, 'OPTIONS', '/', preflight(shop))).status).toBe(404)
  })

  it('reaches the server under its own names only', async () => {
    const server = await startServer({ origins, hosts: ['Chat.example'] })
    const statusFor = async (host: string) =>
      (await ask(server, 'OPTIONS', '/api/threads', { ...preflight(shop), host })).status
    expect([await statusFor('chat.example'), await statusFor('chat.example:81')]).toEqual([204, 204])
    expect(await statusFor('evil.example')).toBe(403)
  })
})

describe('a mounted handler', () => {
  async function opened(options: Partial<HandlerOptions>) {
    const log = await memory.open({ folder: '' })
    return createHandler({ log, agents: [], dataFolder: '', origins, ...options })
  }
  const from = (path: string, init: RequestInit = {}) =>
    new Request(`http://localhost${path}`, { ...init, headers: { origin: shop, ...init.headers } })

  it('sends the same headers by a web-standard response', async () => {
    const { fetch } = await opened({ token: 'flour', basePath: '/agents' })
    const authorization = 'Bearer flour'
    const posted = { method: 'POST', body: line, headers: { authorization } }
    const ingest = await fetch(from('/agents/api/ingest?format=agent-lines', posted))
    const { runId } = (await ingest.json()) as { runId: string }
    const headers = { authorization }
    for (const [path, expected] of [
      [`/agents/api/runs/${runId}/stream`, 200],
      ['/agents/api/nowhere', 404],
      ['/api/threads', 404],
    ] as const) {
      const response = await fetch(from(path, { headers }))
      await response.text()
      expect([path, response.status]).toEqual([path, expected])
      expect([response.headers.get('access-control-allow-origin'), response.headers.get('vary')]).toEqual([
        shop,
        'Origin',
      ])
    }
  })

  it('lets cookies pass only if the host decides by its own sessions', async () => {
    const credentials = async (options: Partial<HandlerOptions>) => {
      const { fetch } = await opened(options)
      return (await fetch(from('/api/health'))).headers.get('access-control-allow-credentials')
    }
    expect(await credentials({ authorize: () => true })).toBe('true')
    expect(await credentials({ token: 'flour' })).toBeNull()
  })

  it.each<[Partial<HandlerOptions>, string]>([
    [{ origins: ['*'] }, '`origins` may not be "*": every page of the web could ask. Name each origin.'],
    [{ origins: ['https://a.example/'] }, 'a browser sends "https://a.example".'],
    [{ origins: ['null'] }, '`origins` must be an exact origin'],
    [{ origins: ['https://a.example:443'] }, 'a browser sends "https://a.example".'],
    [{ hosts: ['a.example:80'] }, '`hosts` must be a host name without scheme, port and path'],
  ])('refuses %j', async (options, sentence) => {
    await expect(opened({ token: 'flour', ...options })).rejects.toThrow(sentence)
  })

  it('accepts the origins of desktop and phone shells', async () => {
    const page = 'capacitor://localhost'
    const { fetch } = await opened({ token: 'flour', origins: [page] })
    const response = await fetch(new Request('http://localhost/api/health', { headers: { origin: page } }))
    expect(response.headers.get('access-control-allow-origin')).toBe(page)
  })
})
