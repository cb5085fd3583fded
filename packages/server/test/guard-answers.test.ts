import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LogError } from '../src/log/errors.ts'
import { memory } from '../src/log/memory.ts'
import { headerProblems } from './guard-matrix.ts'
import { scripted, startServer, text } from './serving.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-answers-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>App</title>')
writeFileSync(join(folder, 'assets', 'index-DBa5A_YJ.js'), 'export {}')
afterAll(() => rmSync(folder, { recursive: true }))

const silent = scripted('silent', async function* ({ signal }) {
  yield text('one')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
})

/** A server with something of every kind, and requests for it. */
async function furnished() {
  const server = await startServer({ appFolder: folder, agents: [silent], report: () => {} })
  const { runId } = (await (await server.send('POST', '/api/threads/t/runs', { input: 'go' })).json()) as {
    runId: string
  }
  const upload = await server.ask('/api/files', { method: 'POST', body: 'grain' })
  const { url } = (await upload.json()) as { url: string }
  const pageTag = (await server.ask('/')).headers.get('etag') ?? ''
  const fileTag = (await server.ask(url)).headers.get('etag') ?? ''
  return { server, runId, url, pageTag, fileTag }
}

type Furnished = Awaited<ReturnType<typeof furnished>>
type Case = [string, number, (on: Furnished) => [string, RequestInit?]]

const cases: readonly Case[] = [
  ['a page', 200, () => ['/']],
  ['the head of a page', 200, () => ['/', { method: 'HEAD' }]],
  ['a page of the app', 200, () => ['/threads/x']],
  ['a page that is unchanged', 304, ({ pageTag }) => ['/', { headers: { 'if-none-match': pageTag } }]],
  ['a built file', 200, () => ['/assets/index-DBa5A_YJ.js']],
  ['a file that does not exist', 404, () => ['/assets/gone.js']],
  ['a sign-in', 302, ({ server }) => [`/?token=${server.token}`, { redirect: 'manual' }]],
  ['a wrong sign-in', 401, () => ['/?token=wrong', { redirect: 'manual' }]],
  ['a change of a page', 404, () => ['/', { method: 'POST' }]],
  ['a list', 200, () => ['/api/threads']],
  ['the head of a list', 200, () => ['/api/threads', { method: 'HEAD' }]],
  ['something new', 201, () => ['/api/threads', { method: 'POST', body: '{}' }]],
  ['a deletion', 204, () => ['/api/threads/empty', { method: 'DELETE' }]],
  ['a sign-out', 204, () => ['/api/sign-out', { method: 'POST' }]],
  ['a stored file', 200, ({ url }) => [url]],
  ['the head of a stored file', 200, ({ url }) => [url, { method: 'HEAD' }]],
  ['a stored file that is unchanged', 304, ({ url, fileTag }) => [url, { headers: { 'if-none-match': fileTag } }]],
  ['a stream', 200, ({ runId }) => [`/api/runs/${runId}/stream`]],
  ['the head of a stream', 200, ({ runId }) => [`/api/runs/${runId}/stream`, { method: 'HEAD' }]],
  ['a stream of a chat', 200, () => ['/api/chat/t/stream']],
  ['the head of a stream of a chat', 200, () => ['/api/chat/t/stream', { method: 'HEAD' }]],
  ['a chat without a run', 204, () => ['/api/chat/nothing/stream']],
  ['raw records', 200, ({ runId }) => [`/api/runs/${runId}/raw`]],
  ['a body that is not JSON', 400, () => ['/api/threads', { method: 'POST', body: '{' }]],
  ['a path that cannot be decoded', 404, () => ['/api/runs/%ff']],
  ['something unknown', 404, () => ['/api/runs/x']],
  ['an unknown route', 404, () => ['/api/nowhere']],
  ['a wrong method', 405, () => ['/api/threads', { method: 'PUT' }]],
  ['OPTIONS', 405, () => ['/api/threads', { method: 'OPTIONS' }]],
  [
    'a conflict',
    409,
    ({ runId }) => [`/api/runs/${runId}/approvals/x`, { method: 'POST', body: '{"state":"denied"}' }],
  ],
  ['a large body', 413, () => ['/api/threads', { method: 'POST', body: 'x'.repeat(5 * 1024 * 1024) }]],
  [
    'an encoded body',
    415,
    () => ['/api/threads', { method: 'POST', body: 'x', headers: { 'content-encoding': 'gzip' } }],
  ],
  ['a WebSocket without an upgrade', 426, () => ['/api/runs/x/ws']],
]

describe('an answer', () => {
  it('SECURITY 24: of every class has all the headers, and no other cookie than that of the sign-in', async () => {
    const on = await furnished()
    await on.server.send('POST', '/api/threads', { id: 'empty' })
    const problems: unknown[] = []
    for (const [name, status, requestOf] of cases) {
      const [path, init] = requestOf(on)
      const leaving = new AbortController()
      const response = await on.server.ask(path, { ...init, signal: leaving.signal })
      const isApi = path.startsWith('/api/') || status >= 400 || status === 302
      const header = (field: string) => response.headers.get(field) ?? undefined
      if (response.status !== status) problems.push([name, response.status])
      for (const problem of headerProblems({ status, header }, isApi)) problems.push([name, problem])
      if ((header('set-cookie') !== undefined) !== /^a sign-(?:in|out)$/.test(name)) problems.push([name, 'cookie'])
      if (init?.method === 'HEAD' && (await response.text()) !== '') problems.push([name, 'a body'])
      leaving.abort()
    }
    expect(problems).toEqual([])
  })

  it('to HEAD has the headers of the answer to GET', async () => {
    const on = await furnished()
    for (const path of [
      '/',
      '/api/threads',
      on.url,
      `/api/runs/${on.runId}/stream?wire=ai-sdk`,
      '/api/chat/t/stream',
    ]) {
      const leaving = new AbortController()
      const [get, head] = [
        await on.server.ask(path, { signal: leaving.signal }),
        await on.server.ask(path, { method: 'HEAD' }),
      ]
      const named = ({ headers }: Response) =>
        [...headers].filter(([name]) => !/^(?:date|transfer-encoding|content-length|connection|keep-alive)$/.test(name))
      expect([path, named(head)]).toEqual([path, named(get)])
      leaving.abort()
    }
  })

  it('while the log fails, or while the server closes, has the same headers', async () => {
    const kept = await memory.open({ folder: '' })
    let isBroken = true
    const trouble = new LogError('log-failed', 'the disk is gone')
    const failing = () => Promise.reject(new Error('the disk is gone'))
    const log = {
      ...kept,
      threads: failing,
      trouble: async () => (isBroken ? trouble : undefined),
    }
    const server = await startServer({ log, report: () => {} })
    for (const [path, status] of [
      ['/api/threads', 500],
      ['/api/health', 503],
    ] as const) {
      const response = await server.ask(path)
      const header = (name: string) => response.headers.get(name) ?? undefined
      expect([response.status, headerProblems({ status, header }, true)]).toEqual([status, []])
      expect((await response.text()).includes('disk')).toBe(path === '/api/health')
    }
    isBroken = false
    expect((await server.ask('/api/health')).status).toBe(200)
  })
})
