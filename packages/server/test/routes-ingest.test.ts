import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { reading } from './frames.ts'
import { type Serving, startServer, until } from './serving.ts'

const line = (content: string) => `${JSON.stringify({ type: 'text', data: { content } })}\n`
const DONE = '{"type":"done","data":{}}\n'
const json = async (response: Response) => (await response.json()) as Record<string, unknown>

/** A request whose body the test writes. */
function producer({ port, token }: Serving, query: string, headers: { readonly [name: string]: string } = {}) {
  const asked = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `/api/ingest?${query}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  asked.on('error', () => {})
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    asked.on('error', reject)
    asked.on('response', async (response) => {
      let body = ''
      for await (const piece of response.setEncoding('utf8')) body += piece
      resolve({ status: response.statusCode ?? 0, body })
    })
  })
  answer.catch(() => {})
  return { asked, answer }
}

const post = ({ ask }: Serving, query: string, body: string) => ask(`/api/ingest?${query}`, { method: 'POST', body })

describe('ingest', () => {
  it('logs a chunked body while it arrives, and responds at its end', async () => {
    const server = await startServer()
    const { asked, answer } = producer(server, 'format=agent-lines&runId=r&threadId=t')
    asked.write(line('first'))
    await until(async () => (await server.log.run('r')) !== undefined)
    const viewer = reading(await server.ask('/api/runs/r/stream'))
    await viewer.until('first')
    asked.write('{"type":"text","data":{"con')
    asked.end(`tent":"second"}}\n${DONE}`)
    expect(await viewer.rest()).toContain('second')
    const { status, body } = await answer
    expect([status, JSON.parse(body)]).toMatchObject([
      200,
      { threadId: 't', runId: 'r', rawRecords: 3, outcome: 'success' },
    ])
    expect(JSON.parse(body).entries).toBe((await server.log.run('r'))?.seq)
  })

  it('accepts a body that waits for 100-continue', async () => {
    const server = await startServer()
    const { asked, answer } = producer(server, 'format=agent-lines', { expect: '100-continue' })
    asked.flushHeaders()
    await new Promise((resolve) => asked.once('continue', resolve))
    asked.end(line('waited'))
    expect((await answer).status).toBe(200)
  })

  it.each([
    ['-T', '-'],
    ['--data-binary', '@-'],
  ])('works with curl %s %s', async (...flags) => {
    const server = await startServer()
    const url = `${server.url}/api/ingest?format=agent-lines`
    const curl = spawn('curl', ['-sS', ...flags, '-H', `Authorization: Bearer ${server.token}`, url])
    let output = ''
    curl.stdout.on('data', (bytes) => {
      output += bytes
    })
    curl.stdin.end(line('by hand') + DONE)
    await new Promise((resolve) => curl.once('close', resolve))
    expect(JSON.parse(output)).toMatchObject({ rawRecords: 2, outcome: 'success' })
  })

  it('lets an interrupted producer continue after its durable records', async () => {
    const server = await startServer()
    const { asked } = producer(server, 'format=agent-lines&runId=r')
    asked.write(`${line('one')}${line('two')}{"type":"te`)
    await until(async () => (await server.log.run('r'))?.rawRecords === 2)
    asked.destroy()
    await until(async () => (await server.log.run('r'))?.state === 'waiting')
    const gap = await post(server, 'format=agent-lines&runId=r&attempt=2&line=5', line('six'))
    expect([gap.status, await json(gap)]).toMatchObject([409, { error: { code: 'gap' }, rawRecords: 2 }])
    const all = line('one') + line('two') + DONE
    const resumed = await post(server, 'format=agent-lines&runId=r&attempt=2&line=0', all)
    expect([resumed.status, await json(resumed)]).toMatchObject([200, { rawRecords: 3, outcome: 'success' }])
    const repeated = await post(server, 'format=agent-lines&runId=r&attempt=2&line=0', all)
    expect([repeated.status, await json(repeated)]).toMatchObject([200, { rawRecords: 3, outcome: 'success' }])
    const more = await post(server, 'format=agent-lines&runId=r&attempt=2&line=3', line('four'))
    expect([more.status, await json(more)]).toMatchObject([409, { error: { code: 'run-closed' } }])
  })

  it('refuses an attempt that a later one has fenced', async () => {
    const server = await startServer()
    const { asked, answer } = producer(server, 'format=agent-lines&runId=r&attempt=3')
    asked.write(line('one'))
    await until(async () => (await server.log.run('r'))?.rawRecords === 1)
    const stale = await post(server, 'format=agent-lines&runId=r&attempt=2&line=1', line('two'))
    expect([stale.status, await json(stale)]).toMatchObject([409, { error: { code: 'stale-attempt' } }])
    asked.end(DONE)
    expect(await answer).toMatchObject({ status: 200 })
  })

  it('responds to a refused body before it has ended, and handles others', async () => {
    const server = await startServer()
    const { asked, answer } = producer(server, 'format=telegraph')
    asked.write(line('never ends'))
    expect(await answer).toMatchObject({ status: 400, body: expect.stringContaining('unknown-format') })
    asked.destroy()
    expect((await server.ask('/api/health')).status).toBe(200)
  })

  it.each(['format=', 'format=agent-lines&line=-1', 'format=agent-lines&attempt=x', 'format=agent-lines&runId=a/b'])(
    'refuses ?%s with 400',
    async (query) => {
      const server = await startServer()
      expect((await post(server, query, line('x'))).status).toBe(400)
    },
  )

  it('finds the format of a stream that names none, and refuses with the reason what it cannot know', async () => {
    const server = await startServer()
    const known = await post(server, '', line('Hello.'))
    expect(known.status).toBe(200)
    const unknown = await post(server, '', '{"hello":1}\n')
    expect(unknown.status).toBe(400)
    expect(await unknown.json()).toMatchObject({
      error: { code: 'format-not-recognised', message: expect.stringContaining('no parser knows these records') },
    })
  })

  it('keeps a line that is not a record as raw, and ends the run', async () => {
    const server = await startServer()
    const answer = await post(server, 'format=agent-lines', '\0\u{1F600}not json\n{"type":\n[1,2]\n')
    expect(answer.status).toBe(200)
    expect(await json(answer)).toMatchObject({ rawRecords: 3 })
  })
})
