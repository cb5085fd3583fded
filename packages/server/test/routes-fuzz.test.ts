import { holdsAsync } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { routes } from '../src/api/routes/index.ts'
import { ingested, scripted, startServer, text } from './serving.ts'

const quick = scripted('quick', async function* () {
  yield text('ok')
})

const hostile = [
  '__proto__',
  'constructor',
  'toString',
  '..',
  '%2e%2e%2f',
  '%00',
  '%ff',
  "' OR 1=1 --",
  '\u{1F600}',
  'x'.repeat(5_000),
  '-1',
  '1e999',
]

describe('bad input', () => {
  it('SECURITY 12: is answered with 4xx on every route, never with 5xx, and the server stays up', async () => {
    const failures: unknown[] = []
    const server = await startServer({ agents: [quick], report: (error) => failures.push(error) })
    const runId = await ingested(server, 'agent-lines', '{"type":"text","data":{"content":"x"}}\n')
    const word = fc.oneof(fc.constantFrom(...hostile, runId), fc.string({ maxLength: 20 }))
    const query = fc.dictionary(
      fc.constantFrom('after', 'wire', 'profile', 'limit', 'search', 'before', 'format', 'line', 'attempt', 'runId'),
      word,
      { maxKeys: 3 },
    )
    const fields = fc.constantFrom(
      'id',
      'title',
      'agent',
      'input',
      'runId',
      'state',
      'answer',
      'messages',
      'by',
      '__proto__',
    )
    const body = fc.oneof(
      fc.json(),
      fc.dictionary(fields, fc.jsonValue()).map((value) => JSON.stringify(value)),
      fc.constantFrom('', '{', 'null', '[]', '"', '\0', '['.repeat(100_000)),
    )
    const request = fc.record({ route: fc.constantFrom(...routes), id: word, query, body })
    await holdsAsync(
      fc.asyncProperty(request, async ({ route, id, query, body }) => {
        const path = route.path.replaceAll(/:\w+/g, () => encodeSafely(id))
        const init = route.method === 'GET' ? {} : { body }
        const search = new URLSearchParams(query)
        const leaving = new AbortController()
        const asked = { method: route.method, signal: leaving.signal, ...init }
        const response = await server.ask(`${path}?${search}`, asked)
        expect([route.path, response.status < 500]).toEqual([route.path, true])
        leaving.abort()
      }),
      600,
    )
    expect(failures).toEqual([])
    expect((await server.ask('/api/health')).status).toBe(200)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('that is JSON of 100,000 levels is answered with 400', async () => {
    const server = await startServer({ agents: [quick] })
    const runId = await ingested(server, 'agent-lines', '{"type":"text","data":{"content":"x"}}\n')
    const deep = `{"state":"answered","text":"[[{\\"","answer":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const paths = [`/api/runs/${runId}/approvals/a`, '/api/threads', '/api/chat']
    for (const path of paths) expect((await server.ask(path, { method: 'POST', body: deep })).status).toBe(400)
    const wide = { title: '[{"'.repeat(100) }
    expect((await server.send('POST', '/api/threads', wide)).status).toBe(201)
  })

  it('that is JSON of more than 4 MB is answered with 413', async () => {
    const server = await startServer()
    const response = await server.send('POST', '/api/threads', { title: 'x'.repeat(4 * 1024 * 1024) })
    expect([response.status, await response.json()]).toMatchObject([413, { error: { code: 'too-large' } }])
  })

  it.each([
    ['GET', '/api/nowhere', 404],
    ['PUT', '/api/threads', 405],
    ['POST', '/nowhere', 404],
    ['GET', '/nowhere.js', 404],
  ])('%s %s is answered with %i in JSON', async (method, path, status) => {
    const server = await startServer()
    const response = await server.ask(path, { method })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } })
  })
})

/** Hostile parts that are already escaped stay unchanged. */
function encodeSafely(id: string): string {
  return /^%/.test(id) ? id : encodeURIComponent(id.toWellFormed()).replaceAll('.', '%2e') || 'x'
}
