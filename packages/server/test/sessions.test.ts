import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createHandler } from '../src/handler.ts'
import { memory } from '../src/log/memory.ts'
import { asking, done, talking } from './scripted-agents.ts'
import { createGate, ingested, type Serving, scripted, startServer, text, until } from './serving.ts'
import { connect, newSession, type RunMessage, wholeOf } from './session-client.ts'

const jsonOf = async (response: Response) => [response.status, await response.json()] as const

interface History {
  readonly messages: readonly RunMessage[]
  readonly total: number
}

async function historyOf({ ask }: Serving, id: string, limit?: number): Promise<History> {
  const query = limit === undefined ? '' : `?limit=${limit}`
  return (await (await ask(`/api/v2/sessions/${id}/messages${query}`)).json()) as History
}

async function talked(server: Serving, ...queries: readonly string[]): Promise<{ id: string; said: RunMessage[] }> {
  const id = await newSession(server)
  const client = await connect(server, id)
  for (const [at, query] of queries.entries()) {
    client.send({ type: 'query', query })
    await client.untilSaid('final_answer', at + 1)
  }
  await client.close()
  return { id, said: client.messages }
}

describe('sessions', () => {
  it('are created for the named agent, or for the first if none is named', async () => {
    const server = await startServer({ agents: [talking, asking] })
    const [status, session] = await jsonOf(await server.send('POST', '/api/v2/sessions', { agent_type: 'asking' }))
    const { session_id: id } = session as { session_id: string }
    const state = {
      agent_type: 'asking',
      state: 'idle',
      message_count: 0,
      websocket_url: `/api/v2/ws/${encodeURIComponent(id)}`,
    }
    expect([status, session]).toMatchObject([201, state])
    const { ticket, ...rest } = session as { readonly ticket: string }
    expect(ticket).toMatch(/^[\w-]{12}\.[\w-]{32}$/)
    expect(await jsonOf(await server.ask(`/api/v2/sessions/${id}`))).toEqual([200, rest])
    const [, first] = await jsonOf(await server.send('POST', '/api/v2/sessions', { max_steps: 20 }))
    expect(first).toMatchObject({ agent_type: 'talking' })
  })

  it.each<[string, string, object | undefined, number, string]>([
    ['POST', '/api/v2/sessions', { agent_type: 'nobody' }, 404, 'unknown-agent'],
    ['POST', '/api/v2/sessions', { agent_type: 7 }, 400, 'bad-request'],
    ['POST', '/api/v2/sessions', { profile: 'other' }, 400, 'unknown-profile'],
    ['POST', '/api/v2/sessions/nowhere/ticket', {}, 404, 'unknown-session'],
    ['GET', '/api/v2/sessions/nowhere', undefined, 404, 'unknown-session'],
    ['DELETE', '/api/v2/sessions/nowhere', undefined, 404, 'unknown-session'],
    ['GET', '/api/v2/sessions/nowhere/messages', undefined, 404, 'unknown-session'],
    ['GET', '/api/v2/sessions?limit=x', undefined, 400, 'bad-request'],
    ['GET', '/api/v2/ws/nowhere', undefined, 426, 'upgrade-required'],
  ])('%s %s %j is refused with %i', async (method, path, body, status, code) => {
    const server = await startServer({ agents: [talking] })
    const asked = body === undefined ? server.ask(path, { method }) : server.send(method, path, body)
    const [answered, refusal] = await jsonOf(await asked)
    expect([answered, refusal]).toMatchObject([status, { error: { code, message: expect.any(String) } }])
    const { error, detail } = refusal as { error: { message: string }; detail: string }
    expect(detail).toBe(error.message)
  })

  it('are listed page by page, the last updated first', async () => {
    const server = await startServer({ agents: [talking] })
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift(await newSession(server))
    const seen: string[] = []
    let next: string | undefined
    for (let page = 0; page < 3; page++) {
      const query = next === undefined ? '' : `&after=${encodeURIComponent(next)}`
      const answer = await (await server.ask(`/api/v2/sessions?limit=1${query}`)).json()
      const { sessions } = answer as { sessions: { session_id: string; state: string }[] }
      expect(sessions).toMatchObject([{ agent_type: 'talking', state: 'idle' }])
      seen.push(...sessions.map(({ session_id }) => session_id))
      next = (answer as { next?: string }).next
    }
    expect([seen.toSorted(), next]).toEqual([ids.toSorted(), undefined])
  })

  it('have a history of complete messages, oldest first; a limit gives the last ones', async () => {
    const server = await startServer({ agents: [talking] })
    const { id, said } = await talked(server, 'hello', 'again')
    const { messages, total } = await historyOf(server, id)
    expect(messages).toEqual(wholeOf(said))
    expect(total).toBe(messages.length)
    expect(messages.length).toBeLessThan(said.length + 1)
    for (const limit of [1, 2, total - 1]) {
      expect((await historyOf(server, id, limit)).messages).toEqual(messages.slice(-limit))
    }
    expect(await jsonOf(await server.ask(`/api/v2/sessions/${id}`))).toMatchObject([
      200,
      { state: 'completed', message_count: total },
    ])
  })

  it('have a history as long as the text, however small its deltas were', async () => {
    const server = await startServer()
    const lines = Array.from({ length: 2_000 }, (_, at) => JSON.stringify(text(`word${at} `)))
    const runId = await ingested(server, 'agent-lines', `${[...lines, JSON.stringify(done)].join('\n')}\n`)
    const { threadId = '' } = (await server.log.run(runId)) ?? {}
    const { messages } = await historyOf(server, threadId, 10_000)
    expect(messages.length).toBeLessThan(12)
    expect(JSON.stringify(messages).length).toBeLessThan(4 * lines.join('').length)
    expect(messages.map(({ content }) => content).join('')).toContain('word1998 word1999')
  })

  it('cannot be deleted while a run is live, and are gone afterwards', async () => {
    const gate = createGate()
    const slow = scripted('slow', async function* () {
      await gate.opened
      yield text('late')
      yield done
    })
    const server = await startServer({ agents: [slow] })
    const id = await newSession(server)
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'go' })
    await until(async () => (await server.log.runs(id)).length === 1)
    const remove = async () => jsonOf(await server.ask(`/api/v2/sessions/${id}`, { method: 'DELETE' }))
    expect(await remove()).toMatchObject([409, { error: { code: 'run-live' } }])
    gate.open()
    await client.untilSaid('final_answer')
    expect(await remove()).toEqual([200, { message: 'Session deleted' }])
    expect((await server.ask(`/api/v2/sessions/${id}`)).status).toBe(404)
    expect(await client.ask({ type: 'query', query: 'once more' })).toMatchObject({ error_code: 'unknown-session' })
    expect(await server.log.thread(id)).toBeUndefined()
  })

  it('can be any threads: one that was started elsewhere continues with its own agent', async () => {
    const server = await startServer({ agents: [asking, talking] })
    await server.send('POST', '/api/threads/t/runs', { agent: 'talking', input: 'hello' })
    await until(async () => (await server.log.runs('t'))[0]?.state === 'ended')
    const client = await connect(server, 't')
    expect(await client.ask({ type: 'get_state' })).toMatchObject({ state: { agent_type: 'talking' } })
    client.send({ type: 'query', query: 'again' })
    await client.untilSaid('final_answer')
    expect((await server.log.runs('t')).map(({ agent }) => agent)).toEqual(['talking', 'talking'])
  })

  it('name their WebSocket by the URL that the client reaches, below the host’s path', async () => {
    const log = await memory.open({ folder: '' })
    const dataFolder = tmpdir()
    const handler = await createHandler({ log, agents: [talking], dataFolder, token: 'mill', basePath: '/agents' })
    const address = 'http://localhost/agents/api/v2/sessions'
    const headers = { authorization: 'Bearer mill' }
    const made = await (await handler.fetch(new Request(address, { method: 'POST', headers }))).json()
    const { session_id, websocket_url } = made as { session_id: string; websocket_url: string }
    expect(websocket_url).toBe(`/agents/api/v2/ws/${session_id}`)
    const again = await handler.fetch(new Request(`${address}/${session_id}`, { headers }))
    expect(made).toMatchObject((await again.json()) as object)
    await handler.close()
  })

  it.each([
    ['GET', '/api/v2/sessions'],
    ['POST', '/api/v2/sessions'],
    ['GET', '/api/v2/sessions/x'],
    ['DELETE', '/api/v2/sessions/x'],
    ['GET', '/api/v2/sessions/x/messages'],
  ])('%s %s needs the token', async (method, path) => {
    const server = await startServer()
    expect((await fetch(`${server.url}${path}`, { method })).status).toBe(401)
  })
})
