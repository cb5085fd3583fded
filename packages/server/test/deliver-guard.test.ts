import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createApp } from '../src/api/app.ts'
import { routes } from '../src/api/routes/index.ts'
import type { Services } from '../src/api/services.ts'
import { createStaticFiles } from '../src/api/static-files.ts'
import { memory } from '../src/log/memory.ts'
import { createServer } from '../src/server.ts'
import { ask, type Headers } from './raw-request.ts'
import { type Serving, startServer } from './serving.ts'

const concrete = (path: string) => path.replaceAll(/:\w+/g, 'x')
const everyRoute = routes.map(({ method, path, policy }) => [method, concrete(path), policy] as const)

describe('the guard', () => {
  it('knows every registered route, each with a policy', () => {
    const app = createApp({ guard: {} } as Services, createStaticFiles(undefined))
    const registered = app.routes.filter(({ path, method }) => path !== '/' && !path.includes('*') && method !== 'ALL')
    const known = new Map(routes.map(({ method, path, policy }) => [`${method} ${path}`, policy]))
    expect(registered.map(({ method, path }) => known.get(`${method} ${path}`))).not.toContain(undefined)
    expect(routes.filter(({ policy }) => policy === 'open').map(({ path }) => path)).toEqual([
      '/api/health',
      '/api/ready',
    ])
  })

  it('answers every route except health and readiness with 401 without the token', async () => {
    const server = await startServer()
    const attempts: Headers[] = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Basic ${server.token}` },
      { authorization: server.token },
      { 'x-api-key': server.token },
      { cookie: `millrace-${server.port}=wrong` },
      { cookie: `millrace=${server.token}` },
      { cookie: `millrace-${server.port}=%E0%A4%A` },
    ]
    for (const [method, path, policy] of [...everyRoute, ['GET', '/api/nowhere', 'token'] as const]) {
      for (const headers of attempts) {
        const { status, text } = await ask(server, method, path, headers)
        expect([method, path, status]).toEqual([method, path, policy === 'open' ? 200 : 401])
        if (policy === 'token') expect(JSON.parse(text)).toMatchObject({ error: { code: 'unauthorized' } })
      }
      if (method === 'GET') expect((await ask(server, 'HEAD', path, {})).status).toBe(policy === 'open' ? 200 : 401)
    }
  })

  it.each<[string, (server: Serving) => Headers]>([
    ['a foreign page', () => ({ origin: 'https://evil.example' })],
    ['a page without an origin', () => ({ origin: 'null' })],
    ['a page of another port', ({ port }) => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ['a page of another name for this machine', ({ port }) => ({ origin: `http://localhost:${port}` })],
    ['a foreign name that resolves to this machine', ({ port }) => ({ host: `evil.example:${port}` })],
    ['a name that begins like a known one', ({ port }) => ({ host: `localhost.evil.example:${port}` })],
    ['a host that is not valid', () => ({ host: '127.0.0.1@evil.example' })],
    ['a fetch from another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a fetch from another port', () => ({ 'sec-fetch-site': 'same-site' })],
  ])(
    'answers %s with 403 on every route, with or without the token, and without CORS headers',
    async (_name, headersOf) => {
      const server = await startServer()
      const authorization = `Bearer ${server.token}`
      for (const [method, path] of [...everyRoute, ['OPTIONS', '/api/threads'] as const]) {
        const { status, headers } = await ask(server, method, path, { authorization, ...headersOf(server) })
        // A host that is not valid is refused before anything is read.
        expect([path, [400, 403].includes(status)]).toEqual([path, true])
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )

  it('accepts its own page, under each of its names', async () => {
    const server = await startServer()
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const host = `${name}:${server.port}`
      const headers = { host, origin: `http://${host}`, authorization: `Bearer ${server.token}` }
      expect((await ask(server, 'GET', '/api/threads', headers)).status).toBe(200)
    }
  })

  it('moves the token from the URL into a cookie that scripts and other sites do not get', async () => {
    const server = await startServer()
    const signedIn = await fetch(`${server.url}/?token=${server.token}`, { redirect: 'manual' })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([302, '/'])
    const cookie = signedIn.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/)
    const [pair = ''] = cookie.split(';')
    expect((await fetch(`${server.url}/api/threads`, { headers: { cookie: `other=1; ${pair}` } })).status).toBe(200)
    const wrong = await fetch(`${server.url}/?token=wrong`, { redirect: 'manual' })
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
  })

  it('deletes the cookie when the client signs out', async () => {
    const server = await startServer()
    const cookie = `millrace-${server.port}=${server.token}`
    const signedOut = await fetch(`${server.url}/api/sign-out`, { method: 'POST', headers: { cookie } })
    expect([signedOut.status, signedOut.headers.get('set-cookie')]).toEqual([
      204,
      `millrace-${server.port}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    ])
    const { origin } = new URL('https://evil.example')
    expect((await ask(server, 'POST', '/api/sign-out', { cookie, origin })).status).toBe(403)
  })

  it.each<[string, Headers, boolean]>([
    ['directly', {}, false],
    ['by an unknown proxy', { 'x-forwarded-proto': 'https' }, false],
    ['by a known proxy over HTTP', { host: 'chat.example', 'x-forwarded-proto': 'http' }, false],
    ['by a known proxy over HTTPS', { host: 'chat.example', 'x-forwarded-proto': 'https' }, true],
    ['by two proxies, the first over HTTPS', { host: 'chat.example', 'x-forwarded-proto': 'https, http' }, true],
  ])('limits the cookie to HTTPS if the request came over HTTPS: %s', async (_name, headers, isSecure) => {
    const server = await startServer({ hosts: ['chat.example'] })
    const { headers: answered } = await ask(server, 'GET', `/?token=${server.token}`, headers)
    expect(String(answered['set-cookie']).endsWith('; Secure')).toBe(isSecure)
  })

  it('checks the name in the request line like the host header', async () => {
    const server = await startServer()
    const authorization = `Bearer ${server.token}`
    const statusFor = async (path: string) => (await ask(server, 'GET', path, { authorization })).status
    expect(await statusFor(`http://127.0.0.1:${server.port}/api/agents`)).toBe(200)
    expect(await statusFor('http://evil.example/api/agents')).toBe(403)
    expect(await statusFor(`http://evil.example@127.0.0.1:${server.port}/api/agents`)).not.toBe(500)
    expect(await statusFor('evil:nonsense')).not.toBe(200)
  })

  it('encodes a token with characters that a cookie cannot hold', async () => {
    const server = await startServer({ token: 'a;b=c,d' })
    const signedIn = await fetch(`${server.url}/?token=${encodeURIComponent(server.token)}`, { redirect: 'manual' })
    const [pair = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
    expect((await fetch(`${server.url}/api/threads`, { headers: { cookie: pair } })).status).toBe(200)
  })

  it('sends the headers against content sniffing, framing and referrers', async () => {
    const server = await startServer()
    for (const path of ['/', '/api/health', '/api/threads', '/api/nowhere', '/nothing.js']) {
      const { headers } = await server.ask(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      if (path.startsWith('/api')) expect(headers.get('cache-control')).toBe('no-store')
      else if (path === '/') expect(headers.get('x-dns-prefetch-control')).toBe('off')
    }
  })

  it('refuses an invalid request with the same error format', async () => {
    const { port } = await startServer()
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = createConnection({ port, host: '127.0.0.1' })
      let text = ''
      socket.on('error', reject).on('end', () => resolve(text))
      socket.on('data', (bytes) => {
        text += bytes
      })
      socket.write('GET /api/health HTTP/1.0\r\n\r\n')
    })
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*nosniff[\s\S]*"code":"bad-request"/)
  })

  it('listens on public addresses only with an explicit token', async () => {
    const log = await memory.open({ folder: '' })
    const refused = createServer({ log, agents: [], dataFolder: tmpdir(), host: '0.0.0.0', port: 0 })
    await expect(refused).rejects.toThrow('only with a token')
    const short = createServer({
      log,
      agents: [],
      dataFolder: tmpdir(),
      host: '0.0.0.0',
      port: 0,
      token: 'x'.repeat(15),
    })
    await expect(short).rejects.toThrow('at least 16 characters')
    const server = await startServer({ host: '0.0.0.0' })
    const authorization = `Bearer ${server.token}`
    const statusFor = async (host: string) => (await ask(server, 'GET', '/api/threads', { host, authorization })).status
    expect(await statusFor('192.168.1.7:80')).toBe(200)
    expect(await statusFor('evil.example')).toBe(403)
  })

  it('generates a token once per data folder, readable only by its owner', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-token-'))
    const log = await memory.open({ folder: dataFolder })
    const start = () => createServer({ log, agents: [], dataFolder, port: 0 })
    const [first, second] = [await start(), await start()]
    expect(first.token).toBe(second.token)
    expect(Buffer.from(first.token, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
    const path = join(dataFolder, 'token')
    expect((await readFile(path, 'utf8')).trim()).toBe(first.token)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await Promise.all([first.close(), second.close()])
    await rm(dataFolder, { recursive: true })
  })
})
