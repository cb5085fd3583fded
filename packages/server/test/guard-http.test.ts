import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { routes } from '../src/api/routes/index.ts'
import type { Route } from '../src/api/services.ts'
import { socketRoutes } from '../src/api/sockets/index.ts'
import { createHandler, type HandlerOptions } from '../src/handler.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import {
  type Asked,
  authorize,
  type Entrance,
  everyCase,
  headerProblems,
  headersOf,
  oneAtATime,
  oneOfEach,
  PORT,
  rightful,
  TOKEN,
  type Verdict,
  verdictOf,
} from './guard-matrix.ts'
import { startServer } from './serving.ts'

const entrances: { readonly [Each in Entrance]: Partial<HandlerOptions> } = {
  server: { token: TOKEN, app: { folder: undefined, port: PORT } },
  mounted: { token: TOKEN },
  authorize: { authorize },
}

/** A handler whose log counts what is asked of it. */
async function opened(entrance: Entrance) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-guard-'))
  const kept = await memory.open({ folder: dataFolder })
  let calls = 0
  const counted = Object.entries(kept).map(([name, act]) => [
    name,
    (...given: unknown[]) => {
      calls++
      return (act as (...given: unknown[]) => unknown)(...given)
    },
  ])
  const log = Object.fromEntries(counted) as Log
  const handler = await createHandler({ log, agents: [], dataFolder, ...entrances[entrance] })
  onTestFinished(async () => {
    await handler.close()
    await rm(dataFolder, { recursive: true })
  })
  return {
    /** The answer, and how often the log was called for it. */
    async ask(method: string, path: string, asked: Asked, more: { readonly [name: string]: string } = {}) {
      const before = calls
      const address = `http://127.0.0.1:${PORT}${path}`
      const response = await handler.fetch(new Request(address, { method, headers: { ...headersOf(asked), ...more } }))
      await response.body?.cancel()
      return { response, calls: calls - before }
    },
    files: () => readdir(join(dataFolder, 'files')).catch(() => []),
  }
}

const verdicts: { readonly [status: number]: Verdict } = { 401: 'unauthorized', 403: 'forbidden' }
const concrete = (path: string) => path.replaceAll(/:\w+/g, 'x')
const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`
const paths = [...new Set(routes.map(({ path }) => path))]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const isSafe = (method: string) => method === 'GET' || method === 'HEAD'

/** Every route, with its answer to a client with access that names nothing that exists and sends no body. */
const answers: { readonly [route: string]: number } = {
  'GET /api/health': 200,
  'GET /api/ready': 200,
  'GET /metrics': 200,
  'GET /api/agents': 200,
  'POST /api/agents/:name/check': 404,
  'GET /api/runs/:id/stderr': 404,
  'GET /api/threads': 200,
  'POST /api/threads': 201,
  'GET /api/threads/:id': 404,
  'GET /api/threads/:id/stream': 404,
  'PATCH /api/threads/:id': 404,
  'DELETE /api/threads/:id': 404,
  'GET /api/search': 400,
  'GET /api/runs': 200,
  'GET /api/overview': 400,
  'POST /api/threads/:id/runs': 400,
  'GET /api/runs/:id': 404,
  'POST /api/runs/:id/stop': 404,
  'POST /api/runs/:id/messages': 404,
  'GET /api/runs/:id/messages': 404,
  'DELETE /api/runs/:id/messages/:messageId': 404,
  'GET /api/runs/:id/commands': 404,
  'POST /api/runs/:id/approvals/:approvalId': 404,
  'POST /api/ingest': 400,
  'PUT /api/ingest': 400,
  'GET /api/runs/:id/stream': 404,
  'GET /api/runs/:id/ws': 426,
  'GET /api/runs/:id/raw': 404,
  'GET /api/runs/:id/verify': 404,
  'POST /api/files': 201,
  'GET /api/files/:id': 404,
  'POST /api/chat': 400,
  'GET /api/chat/:id': 200,
  'POST /api/chat/:id/stop': 200,
  'GET /api/chat/:id/stream': 204,
  'POST /api/ag-ui/:agent': 404,
  'POST /api/ag-ui/:agent/stop': 404,
  'GET /api/ag-ui/:agent': 400,
  'POST /api/v2/sessions': 404,
  'POST /api/v2/sessions/:id/ticket': 404,
  'GET /api/v2/sessions': 200,
  'GET /api/v2/sessions/:id': 404,
  'DELETE /api/v2/sessions/:id': 404,
  'GET /api/v2/sessions/:id/messages': 404,
  'GET /api/v2/ws/:id': 426,
  'POST /api/show': 404,
  'GET /api/show': 404,
  'DELETE /api/show': 404,
  'POST /api/show/kill': 404,
  'POST /api/show/restart': 404,
  'POST /api/show/speed': 400,
  'GET /api/show/runs/:id/verify': 404,
  'POST /api/sign-out': 204,
}

/** What a path allows, from the table of routes. */
function allowedAt(path: string): readonly string[] {
  const own = routes.filter((route) => route.path === path).map(({ method }) => method)
  return own.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

describe('the guard', () => {
  it('SECURITY 1: has a verdict for every route, and health and readiness alone are open', async () => {
    expect(Object.keys(answers).toSorted()).toEqual(routes.map(nameOf).toSorted())
    expect(routes.filter(({ policy }) => policy === 'open').map(nameOf)).toEqual(['GET /api/health', 'GET /api/ready'])
    const { ask } = await opened('server')
    for (const route of routes) {
      const { response } = await ask(route.method, concrete(route.path), rightful)
      expect([nameOf(route), response.status]).toEqual([nameOf(route), answers[nameOf(route)]])
    }
  })

  it.each(Object.keys(entrances) as Entrance[])(
    'SECURITY 1, 3, 5: of %s decides every method of every path by one rule; what it refuses reads and changes nothing',
    async (entrance) => {
      const { ask, files } = await opened(entrance)
      const problems: unknown[] = []
      for (const path of [...paths, '/api/nowhere', '/api'] as const) {
        for (const method of methods) {
          const allowed = allowedAt(path)
          const policy = ['/api/health', '/api/ready'].includes(path) && isSafe(method) ? 'open' : 'token'
          // One client with access and every reason for a refusal: the answers themselves are tested above.
          for (const asked of allowed.includes(method) ? oneAtATime() : oneOfEach) {
            const expected = verdictOf(asked, { entrance, policy, isSafe: isSafe(method) })
            if (expected === 'passes' && asked !== rightful && method === 'POST') continue
            const { response, calls } = await ask(method, concrete(path), asked)
            const verdict = verdicts[response.status] ?? 'passes'
            if (verdict !== expected) problems.push([method, path, asked, response.status, expected])
            if (verdict !== 'passes' && calls > 0) problems.push([method, path, asked, 'the log was called'])
            for (const problem of headerProblems(answerOf(response), true))
              problems.push([method, path, asked, problem])
            if (verdict !== 'passes') continue
            const isWrong = allowed.length > 0 && !allowed.includes(method)
            if ((response.status === 405) !== isWrong) problems.push([method, path, response.status, 'wrong method'])
            if (isWrong && response.headers.get('allow') !== allowed.join(', ')) problems.push([method, path, 'allow'])
          }
        }
      }
      expect(problems.slice(0, 5)).toEqual([])
      expect(await files()).toEqual([])
    },
  )

  it.each(Object.keys(entrances) as Entrance[])(
    'SECURITY 1, 3, 5: of %s decides every combination by the same rule, on a route of each kind',
    async (entrance) => {
      const { ask } = await opened(entrance)
      const problems: unknown[] = []
      const kinds = [
        ['GET', '/api/agents', 'token'],
        ['DELETE', '/api/threads/x', 'token'],
        ['GET', '/api/health', 'open'],
        ['GET', '/threads/x', 'page'],
      ] as const
      for (const asked of everyCase()) {
        const at = (asked.credential.length + asked.origin.length + asked.host.length) % kinds.length
        const [method, path, policy] = kinds[at] ?? kinds[0]
        const { response, calls } = await ask(method, path, asked)
        const expected = verdictOf(asked, { entrance, policy, isSafe: isSafe(method) })
        const verdict = verdicts[response.status] ?? 'passes'
        if (verdict !== expected) problems.push([method, path, asked, response.status, expected])
        if (verdict !== 'passes' && calls > 0) problems.push([method, path, asked, 'the log was called'])
      }
      expect(problems.slice(0, 5)).toEqual([])
    },
    120_000,
  )

  it('decides by the same rule on a WebSocket that the host does not pass on', async () => {
    const { ask } = await opened('mounted')
    for (const path of [...socketRoutes.map((route) => concrete(route.path)), '/api/nowhere']) {
      for (const asked of oneOfEach) {
        const verdict = verdictOf(asked, { entrance: 'mounted', policy: 'token', isSafe: true })
        const { response, calls } = await ask('GET', path, asked, { upgrade: 'WebSocket' })
        const expected = { passes: 501, unauthorized: 401, forbidden: 403 }[verdict]
        expect([path, asked, response.status, calls]).toEqual([path, asked, expected, 0])
      }
    }
  })

  it('decides the same on Node, where a request without a readable host is refused before', async () => {
    const server = await startServer({ token: TOKEN })
    const problems: unknown[] = []
    for (const { method, path, policy } of routes) {
      for (const asked of oneAtATime()) {
        const own = JSON.parse(JSON.stringify(headersOf(asked)).replaceAll(String(PORT), String(server.port)))
        const expected = verdictOf(asked, { entrance: 'server', policy, isSafe: isSafe(method) })
        if (expected === 'passes' && asked !== rightful) continue
        const answer = await askNode(server.port, method, concrete(path), own)
        const verdict = verdicts[answer.status === 400 ? 403 : answer.status] ?? 'passes'
        if (expected !== 'passes' && verdict !== expected) problems.push([method, path, asked, answer.status, expected])
        if (answer.status >= 500) problems.push([method, path, asked, answer.status])
        for (const problem of headerProblems(answer, true)) problems.push([method, path, asked, problem])
      }
    }
    expect(problems.slice(0, 5)).toEqual([])
  })
})

function answerOf({ status, headers }: Response) {
  return { status, header: (name: string) => headers.get(name) ?? undefined }
}

/** A request with any headers; `fetch` refuses some of them. */
function askNode(port: number, method: string, path: string, headers: { readonly [name: string]: string }) {
  return new Promise<{ status: number; header(name: string): string | undefined }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, setHost: false }, (response) => {
      response
        .resume()
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, header: (name) => response.headers[name]?.toString() }),
        )
    })
    asked.on('error', reject).end()
  })
}
