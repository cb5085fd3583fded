import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/api/app.ts'
import { createCors } from '../src/api/cors.ts'
import { createGuard } from '../src/api/guard.ts'
import { createRequestWatch } from '../src/api/request-watch.ts'
import { createTickets } from '../src/api/sessions/tickets.ts'
import { createStarts } from '../src/api/starts.ts'
import { createStaticFiles } from '../src/api/static-files.ts'
import { createFanOut } from '../src/deliver/fan-out.ts'
import { defaultTiming } from '../src/deliver/pacer.ts'
import { createSharedLooks } from '../src/deliver/shared-looks.ts'
import { createFiles } from '../src/files/files.ts'
import { memory } from '../src/log/memory.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { framesOf, reading } from './frames.ts'
import { scripted, started, startServer, text, until } from './serving.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-app-'))
mkdirSync(join(folder, 'dist', 'assets'), { recursive: true })
writeFileSync(join(folder, 'secret.txt'), 'secret')
writeFileSync(join(folder, 'dist', 'index.html'), '<!doctype html><title>App</title>')
writeFileSync(join(folder, 'dist', 'assets', 'index-DBa5A_YJ.js'), 'export {}')
afterAll(() => rmSync(folder, { recursive: true }))
const appFolder = join(folder, 'dist')

/** Sends the path unchanged: `fetch` would normalize it. */
function statusOf(port: number, path: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path }, async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      resolve({ status: response.statusCode ?? 0, text })
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('the app', () => {
  it('is served with its own policy; built files are cached for ever, the page only while it is unchanged', async () => {
    const { url } = await startServer({ appFolder })
    const page = await fetch(url)
    expect([page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      'text/html; charset=utf-8',
      'no-cache',
    ])
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    const again = await fetch(url, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    const script = await fetch(`${url}/assets/index-DBa5A_YJ.js`)
    expect([script.headers.get('content-type'), script.headers.get('cache-control')]).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
  })

  it('gets its page for each of its own paths, and 404 for files that do not exist', async () => {
    const { url } = await startServer({ appFolder })
    expect(await (await fetch(`${url}/threads/t-1`)).text()).toContain('App')
    expect((await fetch(`${url}/assets/gone.js`)).status).toBe(404)
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/%00',
    '/%ff',
  ])('SECURITY 17: serves nothing outside its folder for %s', async (path) => {
    const { port } = await startServer({ appFolder })
    const { text } = await statusOf(port, path)
    expect(text).not.toBe('secret')
  })

  it('is optional: without it a sentence says where the API is', async () => {
    const { url } = await startServer({ appFolder: join(folder, 'nowhere') })
    expect(await (await fetch(url)).text()).toContain('/api')
  })
})

describe('the same routes without Node', () => {
  it('stream by a web-standard response', async () => {
    const log = await memory.open({ folder })
    const agent = scripted('one', async function* () {
      yield text('hello')
    })
    const runs = createRuns({ log, agents: [agent] })
    const services = {
      log,
      fanOut: createFanOut(log),
      looks: createSharedLooks(log),
      runs,
      files: createFiles(folder),
      tickets: createTickets(),
      sessions: {},
      guard: createGuard({ token: 'secret', host: '127.0.0.1', port: 1 }),
      cors: createCors([], false),
      limits: { uploadBytes: 1024, bodyBytes: 1024 },
      timing: defaultTiming,
      starts: createStarts(),
      show: undefined,
      leaving: { stops: () => undefined },
      requests: createRequestWatch(() => {}),
      metrics: () => '',
      draining: new AbortController().signal,
      shutdown: new AbortController().signal,
      report: console.error,
    }
    const app = createApp(services, createStaticFiles(undefined))
    const headers = { authorization: 'Bearer secret' }
    const ask = (path: string, init: RequestInit = {}) =>
      app.fetch(new Request(`http://localhost${path}`, { headers, ...init }))
    const body = JSON.stringify({ input: 'go' })
    const { runId } = (await (await ask('/api/threads/t/runs', { method: 'POST', body, headers })).json()) as {
      runId: string
    }
    const response = await ask(`/api/runs/${runId}/stream`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(framesOf(await response.text()).at(-1)?.data).toContain('run-end')
    const ingest = { method: 'POST', body: '{"type":"done","data":{}}\n', headers }
    expect(await (await ask('/api/ingest?format=agent-lines', ingest)).json()).toMatchObject({ outcome: 'success' })
    expect((await app.fetch(new Request('http://evil.example/api/threads', { headers }))).status).toBe(403)
    await runs.close()
  })
})

describe('closing', () => {
  it('disconnects the viewers, ends the runs of its agents and leaves the log intact', async () => {
    const agent = scripted('endless', async function* ({ signal }) {
      yield text('on and on')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    const log = await memory.open({ folder })
    const server = await startServer({ agents: [agent], log })
    const runId = await started(server)
    const viewer = reading(await server.ask(`/api/runs/${runId}/stream`))
    await viewer.until('on and on')
    const cut = viewer.rest().then(
      () => 'ended',
      () => 'cut',
    )
    await server.close()
    expect(await cut).toBe('cut')
    await expect(server.ask('/api/health')).rejects.toThrow()
    await until(async () => (await log.run(runId))?.state === 'ended')
    expect((await log.run(runId))?.outcome).toBe('interrupted')
  })
})
