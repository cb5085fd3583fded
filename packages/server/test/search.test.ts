import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FoundTexts } from '@millrace/core/api'
import { type Log, memory, sqlite } from '@millrace/server/log'
import { afterEach, describe, expect, it } from 'vitest'
import { createRuns } from '../src/run/create-runs.ts'
import { createServer, type Server } from '../src/server.ts'

const closes: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close()
})

const folder = () => mkdtempSync(join(tmpdir(), 'millrace-search-'))

const LINES = [
  { type: 'tool_use', data: { id: 't1', name: 'Bash', input: { command: 'npm run turn-wheel' } } },
  { type: 'tool_result', data: { tool_use_id: 't1', content: 'The sawmill wheel turns.' } },
  { type: 'text', data: { content: 'It turns.' } },
  { type: 'done', data: {} },
]
const BODY = LINES.map((line) => `${JSON.stringify(line)}\n`).join('')

async function serve(log: Log): Promise<Server> {
  const server = await createServer({ log, agents: [], dataFolder: folder(), port: 0 })
  closes.push(() => server.close())
  return server
}

async function ask(server: Server, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(server.url.replace(/\/$/, '') + path, { ...init, headers: { authorization: `Bearer ${server.token}` } })
}

const find = async (server: Server, query: string) =>
  (await (await ask(server, `/api/search?${query}`)).json()) as FoundTexts

/** A run is found a moment after its end. */
async function findSoon(server: Server, query: string): Promise<FoundTexts> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await find(server, query)
    if (found.hits.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('Nothing was found.')
}

async function ingest(server: Server, threadId: string): Promise<void> {
  const path = `/api/ingest?format=agent-lines&threadId=${threadId}`
  expect((await ask(server, path, { method: 'POST', body: BODY })).status).toBe(200)
}

describe('the search', () => {
  it('finds inputs and outputs of tools in an ended run, with the title, the place and the marks', async () => {
    const log = await memory.open({ folder: '' })
    const server = await serve(log)
    await log.createThread({ id: 'one', title: 'At the weir' })
    await ingest(server, 'one')
    const { hits, counts } = await findSoon(server, 'text=sawmill')
    expect(hits).toMatchObject([{ threadId: 'one', title: 'At the weir', kind: 'output', name: 'Bash' }])
    const [{ excerpt, seq, runId }] = hits as [FoundTexts['hits'][number]]
    expect(excerpt).toEqual({ text: 'The sawmill wheel turns.', marks: [[4, 11]] })
    const entry = (await (await ask(server, `/api/runs/${runId}`)).json()) as { readonly seq: number }
    expect(seq > 0 && seq <= entry.seq).toBe(true)
    expect(counts).toMatchObject({ output: 1, input: 0 })
    expect((await find(server, 'text=turn-wheel&kinds=input,text')).hits.map(({ kind }) => kind)).toEqual(['input'])
    expect((await find(server, 'text=sawmill&thread=other')).hits).toEqual([])
  })

  it('refuses a kind that there is not, and a query without a text', async () => {
    const server = await serve(await memory.open({ folder: '' }))
    const refused = await ask(server, '/api/search?text=a&kinds=text,nothing')
    expect(refused.status).toBe(400)
    const { error } = (await refused.json()) as { readonly error: { readonly message: string } }
    expect(error.message).toBe(
      'There is no kind "nothing". The kinds are question, text, reasoning, input, output, notice.',
    )
    expect((await ask(server, '/api/search')).status).toBe(400)
    expect((await fetch(`${server.url.replace(/\/$/, '')}/api/search?text=a`)).status).toBe(401)
  })

  it('finds runs that ended in an earlier release, and leaves nothing of a deleted thread in the file', async () => {
    const data = folder()
    const log = await sqlite.open({ folder: data })
    closes.push(() => log.close())
    // A run that nobody has indexed.
    const runs = createRuns({ log, agents: [] })
    await runs.ingest({ format: 'agent-lines', threadId: 'old' }, chunks())
    await runs.close()
    const server = await serve(log)
    await findSoon(server, 'text=sawmill')
    expect((await ask(server, '/api/threads/old', { method: 'DELETE' })).status).toBe(204)
    expect((await find(server, 'text=sawmill')).hits).toEqual([])
    const files = readdirSync(data).map((name) => readFileSync(join(data, name)).toString('latin1'))
    expect(files.filter((bytes) => /sawmill/i.test(bytes))).toEqual([])
  })
})

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(BODY)
}
