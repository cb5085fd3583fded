import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import { eventsOf } from './run-parts.ts'
import { createGate, ingested, type Serving, scripted, startServer, text, until } from './serving.ts'

const echo = scripted('echo', async function* ({ input, history }) {
  yield text(`${history.length}: ${input.text} ${input.files?.map(({ filename }) => filename).join() ?? ''}`)
})
const second = scripted('second', async function* () {
  yield text('the second agent')
  yield { type: 'done', data: {} }
})

const json = async (response: Response | Promise<Response>) => (await (await response).json()) as never

async function run(server: Serving, thread: string, body: object, headers: { readonly [name: string]: string } = {}) {
  const response = await server.send('POST', `/api/threads/${thread}/runs`, body, headers)
  expect(response.status).toBe(201)
  return (await response.json()) as { readonly runId: string; readonly threadId: string }
}

const ended = ({ log }: Serving, runId: string) => until(async () => (await log.run(runId))?.state === 'ended')

describe('threads', () => {
  it('are created, listed with search and cursor, renamed and deleted', async () => {
    const server = await startServer()
    for (const title of ['Wheel', 'Sluice', 'Wheel again']) {
      expect((await server.send('POST', '/api/threads', { title })).status).toBe(201)
    }
    const titles = async (query: string) => {
      const { threads, next } = (await json(server.ask(`/api/threads?${query}`))) as {
        threads: { title: string; id: string }[]
        next?: string
      }
      return { titles: threads.map(({ title }) => title).sort(), next, ids: threads.map(({ id }) => id) }
    }
    expect((await titles('search=wheel')).titles).toEqual(['Wheel', 'Wheel again'])
    const page = await titles('limit=2')
    expect(page.ids).toHaveLength(2)
    const rest = await titles(`limit=2&after=${encodeURIComponent(page.next ?? '')}`)
    expect(new Set([...page.ids, ...rest.ids]).size).toBe(3)
    const [id] = page.ids
    expect(await json(server.send('PATCH', `/api/threads/${id}`, { title: 'Dam' }))).toMatchObject({ id, title: 'Dam' })
    expect((await server.ask(`/api/threads/${id}`, { method: 'DELETE' })).status).toBe(204)
    for (const method of ['GET', 'DELETE']) {
      const gone = await server.ask(`/api/threads/${id}`, { method })
      expect([gone.status, await json(gone)]).toMatchObject([404, { error: { code: 'unknown-thread' } }])
    }
  })

  it('with a live run can be listed alone, however old they are', async () => {
    const gate = createGate()
    const waiting = scripted('waiting', async function* () {
      await gate.opened
      yield { type: 'done', data: {} }
    })
    const server = await startServer({ agents: [second, waiting] })
    await run(server, 'open', { agent: 'waiting', input: 'go' })
    const { runId } = await run(server, 'over', { agent: 'second', input: 'go' })
    await ended(server, runId)
    const open = async () => {
      const { threads } = (await json(server.ask('/api/threads?open=true'))) as {
        threads: { id: string; lastRun: { state: string; asks: boolean } }[]
      }
      return threads.map(({ id, lastRun }) => [id, lastRun.state, lastRun.asks])
    }
    expect(await open()).toEqual([['open', 'live', false]])
    gate.open()
    await until(async () => (await open()).length === 0)
    expect((await server.ask('/api/threads?open=maybe')).status).toBe(400)
  })

  it('show their runs folded, each up to its seq, and page to older ones', async () => {
    const server = await startServer({ agents: [echo] })
    for (const input of ['one', 'two', 'three']) {
      const { runId } = await run(server, 't', { agent: 'echo', input })
      await ended(server, runId)
    }
    const newest = (await json(server.ask('/api/threads/t?limit=2'))) as {
      next: string
      runs: { id: string; seq: number }[]
      chatEvents: { role: string; runId: string }[]
    }
    expect(newest.runs).toHaveLength(2)
    for (const { id, seq } of newest.runs) expect((await server.log.run(id))?.seq).toBe(seq)
    expect(newest.chatEvents.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(JSON.stringify(newest)).toContain('4: three')
    const older = (await json(server.ask(`/api/threads/t?limit=2&before=${newest.next}`))) as {
      next?: string
      runs: object[]
    }
    expect([older.runs.length, older.next]).toEqual([1, undefined])
    expect((await server.ask('/api/threads/t?before=nowhere')).status).toBe(400)
  })

  it('are listed with the state of their last run and whether it has a question, before and after a restart', async () => {
    const asking = scripted('asking', async function* (_request, host) {
      await host.ask({ message: 'Sure?' })
      yield text('thanks')
    })
    const server = await startServer({ agents: [second, asking] })
    await server.send('POST', '/api/threads', { id: 'empty' })
    await ended(server, (await run(server, 'done', { agent: 'second', input: 'one' })).runId)
    const last = (await run(server, 'done', { agent: 'second', input: 'two' })).runId
    await ended(server, last)
    const { runId } = await run(server, 'asks', { agent: 'asking', input: 'x' })
    const lastRuns = async ({ ask }: Serving) => {
      const { threads } = (await json(ask('/api/threads'))) as { threads: { id: string; lastRun?: object }[] }
      return Object.fromEntries(threads.map(({ id, lastRun }) => [id, lastRun]))
    }
    await until(async () =>
      /"title":"two".*"asks":true|"asks":true.*"title":"two"/.test(JSON.stringify(await lastRuns(server))),
    )
    const listed = await lastRuns(server)
    const { seq, createdAt, endedAt } = (await server.log.run(last)) ?? {}
    const told = { id: last, state: 'ended', outcome: 'success', format: 'agent-lines', agent: 'second' }
    expect(listed).toMatchObject({ empty: undefined, asks: { id: runId, state: 'live', asks: true } })
    const digest = expect.objectContaining({ title: 'two', steps: 1, tools: 0 })
    expect(listed.done).toStrictEqual({ ...told, seq, createdAt, endedAt, asks: false, digest })
    await server.close()
    const after = await startServer({ agents: [], log: server.log })
    expect((await lastRuns(after)).asks).toMatchObject({
      id: runId,
      state: 'ended',
      outcome: 'interrupted',
      asks: false,
    })
    const late = await after.send('POST', `/api/runs/${runId}/approvals/approval-1`, { state: 'approved' })
    expect([late.status, await json(late)]).toMatchObject([409, { error: { code: 'not-asked' } }])
  })

  it('with an open run are not deleted', async () => {
    const gate = createGate()
    const agent = scripted('slow', async function* () {
      await gate.opened
      yield text('done')
    })
    const server = await startServer({ agents: [agent] })
    const { runId } = await run(server, 't', { input: 'x' })
    const refused = await server.ask('/api/threads/t', { method: 'DELETE' })
    expect([refused.status, await json(refused)]).toMatchObject([409, { error: { code: 'run-live' } }])
    gate.open()
    await ended(server, runId)
    expect((await server.ask('/api/threads/t', { method: 'DELETE' })).status).toBe(204)
  })
})

describe('runs', () => {
  it('are started with the named or the first agent, and report their state', async () => {
    const server = await startServer({ agents: [echo, second] })
    const { agents } = (await json(server.ask('/api/agents'))) as { agents: { name: string }[] }
    expect(agents.map(({ name }) => name)).toEqual(['echo', 'second'])
    const { runId, threadId } = await run(server, 't', { agent: 'second', input: { text: 'hello' }, runId: 'my-run' })
    expect([runId, threadId]).toEqual(['my-run', 't'])
    await ended(server, runId)
    expect(await json(server.ask(`/api/runs/${runId}`))).toMatchObject({
      id: 'my-run',
      threadId: 't',
      state: 'ended',
      outcome: 'success',
      format: 'agent-lines',
      agent: 'second',
      attempt: 1,
      rawRecords: 2,
    })
    const unknown = await server.send('POST', '/api/threads/t/runs', { agent: 'nobody', input: '' })
    expect([unknown.status, await json(unknown)]).toMatchObject([404, { error: { code: 'unknown-agent' } }])
  })

  it('are started once per Idempotency-Key', async () => {
    const server = await startServer({ agents: [echo] })
    const key = { 'idempotency-key': 'k-1' }
    const answers = await Promise.all([1, 2, 3].map(() => run(server, 't', { input: 'once' }, key)))
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1)
    expect(await server.log.runs('t')).toHaveLength(1)
    const other = await server.send('POST', '/api/threads/t/runs', { input: 'something else' }, key)
    expect([other.status, await json(other)]).toMatchObject([422, { error: { code: 'other-request' } }])
    expect(await server.log.runs('t')).toHaveLength(1)
  })

  it('are stopped on request, which is logged; a second stop changes nothing', async () => {
    const agent = scripted('endless', async function* ({ signal }) {
      yield text('on and on')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    const server = await startServer({ agents: [agent] })
    const { runId } = await run(server, 't', { input: 'x' })
    expect(await json(server.send('POST', `/api/runs/${runId}/stop`, { by: 'me' }))).toEqual({ runId, stopped: true })
    await ended(server, runId)
    const stream = await (await server.ask(`/api/runs/${runId}/stream`)).text()
    expect(stream).toContain('"action":"stop","by":"me"')
    expect(await json(server.ask(`/api/runs/${runId}`))).toMatchObject({ outcome: 'cancelled' })
    expect(await json(server.ask(`/api/runs/${runId}/stop`, { method: 'POST' }))).toEqual({ runId, stopped: false })
    expect((await server.ask('/api/runs/nowhere/stop', { method: 'POST' })).status).toBe(404)
  })

  it.each([
    [{ state: 'approved' }, 'approved'],
    [{ state: 'approved', message: 'but here', remember: 'session', input: { path: 'b' } }, 'approved'],
    [{ state: 'approved', input: null }, 'approved'],
    [{ state: 'denied', message: 'too dear' }, 'denied'],
    [{ state: 'answered', answer: { colour: 'red' } }, 'answered'],
  ])('wait for an answer and continue with %j', async (answer, state) => {
    const agent = scripted('asking', async function* (_request, host) {
      yield text('May I?')
      const given = await host.ask({ message: 'Sure?' })
      yield text(`got ${JSON.stringify(given)}`)
    })
    const server = await startServer({ agents: [{ ...agent, can: { edit: true } }] })
    const { runId } = await run(server, 't', { input: 'x' })
    let approvalId: string | undefined
    await until(async () => {
      const { chatEvents } = (await json(server.ask('/api/threads/t'))) as { chatEvents: object[] }
      approvalId = /"approvalId":"([^"]+)"/.exec(JSON.stringify(chatEvents))?.[1]
      return approvalId !== undefined
    })
    const path = `/api/runs/${runId}/approvals/${encodeURIComponent(approvalId ?? '')}`
    expect((await server.send('POST', path, { state: 'perhaps' })).status).toBe(400)
    expect((await server.send('POST', path, { state: 'answered' })).status).toBe(400)
    expect((await server.send('POST', path, { state: 'approved', remember: 'always' })).status).toBe(400)
    expect(await json(server.send('POST', path, answer))).toEqual({ runId, approvalId, state })
    await ended(server, runId)
    const stream = await (await server.ask(`/api/runs/${runId}/stream`)).text()
    expect(stream).toContain(JSON.stringify(JSON.stringify(answer)).slice(1, -1))
    const entries = await eventsOf(server.log, runId)
    expect(entries.find((event) => event.type === 'approval' && event.state !== 'requested')).toMatchObject(answer)
    const again = await server.send('POST', path, answer)
    expect([again.status, await json(again)]).toMatchObject([409, { error: { code: 'not-asked' } }])
  })

  it('return their raw records unchanged, and verify that the log matches them', async () => {
    const server = await startServer({ agents: [echo] })
    for (const recording of [...fixturesOf('agent-lines'), ...fixturesOf('anthropic-messages')]) {
      const runId = await ingested(server, recording.name.split('/')[0] ?? '', recording.bytes)
      const raw = await (await server.ask(`/api/runs/${runId}/raw`)).text()
      expect(raw).toBe(recording.records.map((record) => `${record.text}\n`).join(''))
      const verdict = await json(server.ask(`/api/runs/${runId}/verify`))
      const { seq } = (await server.log.run(runId)) ?? {}
      expect([recording.name, verdict]).toMatchObject([
        recording.name,
        { ok: true, entries: seq, reread: 'same', rawRecords: recording.records.length, problems: [] },
      ])
    }
    const { runId } = await run(server, 't', { input: 'x' })
    await ended(server, runId)
    expect(await json(server.ask(`/api/runs/${runId}/verify`))).toMatchObject({ ok: true, reread: 'same' })
    const objects = await (await server.ask(`/api/runs/${runId}/raw?shape=objects&from=0&to=1`)).text()
    expect(JSON.parse(objects)).toMatchObject({ number: 0, text: expect.stringContaining('x') })
  })
})
