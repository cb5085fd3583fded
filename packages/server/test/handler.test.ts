import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { readingOf } from '@millrace/testkit/repository/reading'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHandler, type HandlerOptions } from '../src/handler.ts'
import { memory } from '../src/log/memory.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { framesOf, reading } from './frames.ts'
import { scripted, text, until } from './serving.ts'

const endless = scripted('endless', async function* ({ signal }) {
  yield text('on and on')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
})
const headers = { authorization: 'Bearer t' }

async function opened(options: Partial<HandlerOptions> = {}) {
  const log = options.log ?? (await memory.open({ folder: '' }))
  const handler = await createHandler({
    log,
    agents: [endless],
    dataFolder: tmpdir(),
    token: 't',
    stopWithin: 20,
    ...options,
  })
  onTestFinished(() => handler.close())
  const ask = (path: string, init: RequestInit = {}) =>
    handler.fetch(new Request(`http://localhost${path}`, { headers, ...init }))
  return { handler, log, ask }
}

async function startRun(ask: Awaited<ReturnType<typeof opened>>['ask']): Promise<string> {
  const response = await ask('/api/threads/t/runs', { method: 'POST', body: '{"input":"go"}' })
  return ((await response.json()) as { runId: string }).runId
}

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a handler', () => {
  it('settles the runs that an earlier process left open before it handles requests', async () => {
    const log = await memory.open({ folder: '' })
    const earlier = createRuns({ log, agents: [endless] })
    const { id } = await earlier.start({ threadId: 't', agent: 'endless', input: { text: 'go' } })
    await until(async () => ((await log.run(id))?.seq ?? 0) > 1)
    await log.leave((await log.run(id))?.owner ?? '')
    await opened({ log })
    expect(await log.run(id)).toMatchObject({ state: 'ended', outcome: 'interrupted' })
  })

  it('refuses an agent of an unknown format', async () => {
    await expect(opened({ agents: [{ ...endless, format: 'unheard-of' }] })).rejects.toThrow('unheard-of')
  })

  it('releases a viewer whose request was aborted, whether or not the body is cancelled', async () => {
    const { log, ask } = await opened()
    const runId = await startRun(ask)
    let isRead = true
    log.lines = readingOf({ lines: log.lines }, { closed: () => (isRead = false) }).lines
    const leaving = new AbortController()
    const viewer = reading(await ask(`/api/runs/${runId}/stream`, { headers, signal: leaving.signal }))
    await viewer.until('on and on')
    const rest = viewer.rest()
    leaving.abort()
    await expect(rest).rejects.toThrow()
    await until(() => !isRead)
    expect((await log.run(runId))?.state).toBe('live')
  })

  it('sends no connection headers if the connection belongs to a host', async () => {
    const { ask } = await opened()
    const response = await ask(`/api/runs/${await startRun(ask)}/stream`)
    expect(response.headers.get('connection')).toBeNull()
    await response.body?.cancel()
  })

  it('disconnects the viewers when it closes, and refuses later requests', async () => {
    const { handler, log, ask } = await opened()
    const runId = await startRun(ask)
    const viewer = reading(await ask(`/api/runs/${runId}/stream`))
    await viewer.until('on and on')
    const rest = viewer.rest()
    rest.catch(() => {})
    await handler.close()
    await expect(rest).rejects.toThrow('come back')
    expect(await log.run(runId)).toMatchObject({ state: 'ended' })
    expect((await ask(`/api/runs/${runId}/stream`)).status).toBe(503)
    expect((await ask('/api/threads')).status).toBe(503)
  })

  it('writes through middleware that wraps the response', async () => {
    const { handler, ask } = await opened()
    const body = '{"type":"text","data":{"content":"flour"}}\n{"type":"done","data":{}}\n'
    await ask('/api/ingest?format=agent-lines&runId=r', { method: 'POST', body })
    let seen = ''
    const url = await served((request, response) => {
      const write = response.write.bind(response)
      response.write = ((bytes: Uint8Array) => {
        seen += Buffer.from(bytes).toString()
        return write(bytes)
      }) as typeof response.write
      void handler.listener(request, response)
    })
    const got = await (await fetch(`${url}/api/runs/r/stream`, { headers })).text()
    expect(framesOf(got).at(-1)?.data).toContain('run-end')
    expect(seen).toBe(got)
  })

  it('explains what to do if the host has read the body, and only then', async () => {
    const reported: unknown[] = []
    const { handler } = await opened({ report: (error) => reported.push(error) })
    const url = await served(async (request, response) => {
      if (request.headers['content-type'] === 'application/json') await request.toArray()
      await handler.listener(request, response)
    })
    const post = (type: string, body: string) =>
      fetch(`${url}/api/ingest?format=agent-lines`, {
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': type },
      })
    const taken = await post('application/json', '{}')
    expect([taken.status, await taken.json()]).toMatchObject([
      500,
      { error: { code: 'body-taken', message: expect.stringContaining('before express.json()') } },
    ])
    expect(String(reported)).toContain('express.json()')
    expect((await post('application/x-ndjson', '{"type":"done","data":{}}\n')).status).toBe(200)
    expect(
      (await fetch(`${url}/api/threads`, { headers: { ...headers, 'content-type': 'application/json' } })).status,
    ).toBe(200)

    const request = new Request('http://localhost/api/chat', { method: 'POST', body: '{}', headers })
    await request.json()
    expect(await (await handler.fetch(request)).json()).toMatchObject({ error: { code: 'body-taken' } })
  })
})

describe('a base path', () => {
  it('prefixes every route, and no other path is handled', async () => {
    const { handler, ask } = await opened({ basePath: '/tools/agents/' })
    expect((await ask('/tools/agents/api/threads')).status).toBe(200)
    expect((await ask('/tools/agents/api/threads/')).status).toBe(200)
    for (const path of [
      '/api/threads',
      '/tools/agentsapi/threads',
      '/tools/agents',
      '/.elsewhere',
      '/tools/agents/../api',
    ]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
    const { error } = (await (await ask('/api/threads')).json()) as { error: { message: string } }
    expect(error.message).toContain('not below /tools/agents')
    const untouched = new Duplex({ read() {} })
    const upgrade = (url: string) =>
      handler.upgrade({ url, headers: { host: 'localhost' }, socket: untouched } as never, untouched, Buffer.alloc(0))
    for (const url of ['/api/runs/r/ws', '/tools/agentsapi', '//', 'http://['])
      expect([url, upgrade(url)]).toEqual([url, false])
    expect(untouched.listenerCount('error')).toBe(0)
  })

  it('is found if the host has cut it off the URL and kept the original', async () => {
    const { handler } = await opened({ basePath: '/agents' })
    const url = await served((request, response) => {
      Object.assign(request, { originalUrl: request.url, url: request.url?.replace('/agents', '') })
      void handler.listener(request, response)
    })
    expect((await fetch(`${url}/agents/api/threads?limit=1`, { headers })).status).toBe(200)
  })

  it.each(['agents', '/a b', '/a/../b', '/a?b', '//a', '/a//b'])('is not %j', async (basePath) => {
    await expect(opened({ basePath })).rejects.toThrow('`basePath` must be a path')
  })
})

describe('the app in a host', () => {
  it('is served only if it is configured, with its sign-in', async () => {
    const without = await opened()
    expect((await without.ask('/')).status).toBe(404)
    const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-handler-'))
    onTestFinished(() => rm(dataFolder, { recursive: true }))
    const { handler, ask } = await opened({
      app: { folder: undefined, port: 80 },
      token: undefined,
      dataFolder,
    })
    const token = (await readFile(join(dataFolder, 'token'), 'utf8')).trim()
    expect(handler.token).toBe(token)
    const signedIn = await ask(`/?token=${token}`, { headers: {} })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect([signedIn.status, cookie]).toEqual([302, `millrace-80=${token}`])
    expect((await ask('/api/threads', { headers: { cookie } })).status).toBe(200)
    const app = { folder: undefined, port: 80 }
    const log = await memory.open({ folder: '' })
    const byHost = { log, agents: [], dataFolder, app, authorize: () => true }
    await expect(createHandler(byHost)).rejects.toThrow('only with a token')
  })
})
