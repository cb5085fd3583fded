import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createHandler, type HandlerOptions } from '../src/handler.ts'
import { memory } from '../src/log/memory.ts'

type Headers = { readonly [name: string]: string }

async function opened(options: Partial<HandlerOptions> = {}) {
  const log = await memory.open({ folder: '' })
  const handler = await createHandler({ log, agents: [], dataFolder: tmpdir(), ...options })
  onTestFinished(() => handler.close())
  const statusFor = async (path: string, headers: Headers = {}, method = 'GET', body?: string) => {
    const request = new Request(`http://localhost:4000${path}`, { method, headers, ...(body && { body }) })
    return (await handler.fetch(request)).status
  }
  return { handler, log, statusFor }
}

const threads = '/api/threads'
const ours = { cookie: 'session=1', origin: 'http://localhost:4000' }
const byCookie = (request: Request) => request.headers.get('cookie') === 'session=1'

describe('access to a mounted handler', () => {
  it('needs the token by default, in the header only', async () => {
    const { handler, statusFor } = await opened({ token: 'flour' })
    expect(handler.token).toBe('flour')
    expect(await statusFor(threads)).toBe(401)
    expect(await statusFor(threads, { authorization: 'Bearer flour' })).toBe(200)
    for (const cookie of ['millrace=flour', 'millrace-4000=flour', 'millrace-undefined=flour']) {
      expect([cookie, await statusFor(threads, { cookie })]).toEqual([cookie, 401])
    }
    expect(await statusFor('/?token=flour')).toBe(404)
  })

  it('is decided only by the host if the host authorizes requests', async () => {
    const { handler, statusFor } = await opened({ authorize: byCookie })
    expect(handler.token).toBeUndefined()
    expect(await statusFor(threads, { cookie: 'session=1' })).toBe(200)
    expect(await statusFor(threads, { cookie: 'session=2' })).toBe(401)
    expect(await statusFor('/api/nowhere')).toBe(401)
    expect(await statusFor('/api/health')).toBe(200)
    await expect(opened({ authorize: byCookie, token: 'flour' })).rejects.toThrow('not both')
    await expect(opened({ token: '' })).rejects.toThrow('The token is empty.')
    for (const token of ['two words', 'mühle', 'a\tb'])
      await expect(opened({ token })).rejects.toThrow('without spaces')
    await expect(opened({ token: 'flour', host: '0.0.0.0' })).rejects.toThrow('at least 16 characters')
  })

  it.each<[string, unknown]>([
    ['an object', { name: 'keeper' }],
    ['nothing', undefined],
    ['a promise of false', Promise.resolve(false)],
  ])('is refused if the host returns %s instead of true', async (_name, answer) => {
    const { statusFor } = await opened({ authorize: () => answer as boolean })
    expect(await statusFor(threads)).toBe(401)
  })

  it('is refused if the host’s check fails, and the error is reported only to the host', async () => {
    const reported: unknown[] = []
    const authorize = () => Promise.reject(new Error('the sessions are gone'))
    const { handler } = await opened({ authorize, report: (error) => reported.push(error) })
    const response = await handler.fetch(new Request('http://localhost/api/threads'))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('sessions')
    expect(String(reported)).toContain('the sessions are gone')
  })

  it.each<[string, Headers, number]>([
    ['an allowed page', ours, 200],
    ['an allowed page that sends no origin', { cookie: 'session=1', 'sec-fetch-site': 'same-origin' }, 200],
    ['a request without a cookie', { authorization: 'Bearer 1' }, 200],
    ['a cookie without an origin', { cookie: 'session=1' }, 403],
    ['a password that a browser adds', { authorization: 'Basic MTox' }, 403],
    ['another page', { ...ours, origin: 'https://evil.example' }, 403],
    ['another site', { cookie: 'session=1', 'sec-fetch-site': 'cross-site' }, 403],
    ['a page without an origin', { ...ours, origin: 'null' }, 403],
  ])('SECURITY 5: is granted to %s only if the request cannot be forged', async (_name, headers, expected) => {
    const { statusFor, log } = await opened({ authorize: () => true })
    const body = '{"type":"done","data":{}}\n'
    expect(await statusFor('/api/ingest?format=agent-lines&runId=r', headers, 'POST', body)).toBe(expected)
    expect((await log.run('r')) !== undefined).toBe(expected === 200)
  })

  it('is limited to the host names and origins that the host has configured', async () => {
    const { handler } = await opened({ token: 't', hosts: ['Chat.example'], origins: ['https://shop.example'] })
    const ask = async (url: string, headers: Headers) =>
      (await handler.fetch(new Request(url, { headers: { authorization: 'Bearer t', ...headers } }))).status
    const url = 'https://chat.example/api/threads'
    expect(await ask(url, {})).toBe(200)
    expect(await ask(url, { origin: 'https://chat.example' })).toBe(200)
    expect(await ask(url, { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' })).toBe(200)
    expect(await ask(url, { origin: 'http://shop.example' })).toBe(403)
    expect(await ask(url, { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await ask('https://other.example/api/threads', { origin: 'https://shop.example' })).toBe(403)
    expect(await ask('http://10.0.0.1/api/threads', {})).toBe(403)
  })

  it('is checked with the host’s own request, also for WebSockets', async () => {
    const asked: [string, IncomingMessage | undefined][] = []
    const { handler } = await opened({
      basePath: '/agents',
      authorize(request, incoming) {
        asked.push([request.url, incoming])
        return byCookie(request)
      },
    })
    const server = createServer(handler.listener).on('upgrade', handler.upgrade).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close().closeAllConnections())
    await once(server, 'listening')
    const at = `127.0.0.1:${(server.address() as AddressInfo).port}/agents/api`
    const cookie = 'session=1'
    expect((await fetch(`http://${at}/threads?limit=1`, { headers: { cookie } })).status).toBe(200)
    const refused = async (headers: Headers) => {
      const socket = new WebSocket(`ws://${at}/runs/r/ws`, { headers }).on('error', () => {})
      const [, response] = await once(socket, 'unexpected-response')
      return response.resume().statusCode
    }
    const origin = `http://${at.split('/')[0]}`
    expect(await refused({ origin, cookie })).toBe(404)
    expect(await refused({ origin, cookie: 'session=2' })).toBe(401)
    expect(await refused({ cookie })).toBe(403)
    expect(asked.map(([url]) => url)).toEqual([
      `http://${at}/threads?limit=1`,
      `http://${at}/runs/r/ws`,
      `http://${at}/runs/r/ws`,
    ])
    expect(asked.every(([, incoming]) => incoming?.headers.cookie?.startsWith('session='))).toBe(true)
  })
})
