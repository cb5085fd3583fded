import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { RequestLine } from '../src/api/request-watch.ts'
import { createTickets } from '../src/api/sessions/tickets.ts'
import { createHandler } from '../src/handler.ts'
import { memory } from '../src/log/memory.ts'
import { done, talking } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'
import { connect, newSession, pathOf, type RunMessage, wholeOf } from './session-client.ts'

interface Made {
  readonly session_id: string
  readonly websocket_url: string
  readonly ticket: string
}

const made = async ({ send }: Serving, body: object = {}) =>
  (await (await send('POST', '/api/v2/sessions', body)).json()) as Made

/** What a WebSocket without any other credentials gets: 101 with its subprotocol, or the refusal. */
async function handshake({ url }: Serving, path: string, protocols: readonly string[] = [], headers = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, [...protocols], { headers })
  socket.on('error', () => {})
  try {
    return await Promise.race([
      once(socket, 'open').then(() => ({ status: 101, protocol: socket.protocol })),
      once(socket, 'unexpected-response').then(async ([, response]) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        return { status: response.statusCode as number, ...(JSON.parse(Buffer.concat(chunks).toString()) as object) }
      }),
    ])
  } finally {
    socket.terminate()
  }
}

describe('a ticket', () => {
  it('opens the WebSocket of its session once, from the query or as a subprotocol', async () => {
    const server = await startServer({ agents: [talking] })
    const { websocket_url: path, ticket } = await made(server)
    expect(await handshake(server, path)).toMatchObject({ status: 401 })
    expect(await handshake(server, `${path}?ticket=${ticket}`)).toMatchObject({ status: 101 })
    const again = await handshake(server, `${path}?ticket=${ticket}`)
    expect(again).toMatchObject({
      status: 401,
      error: { code: 'unauthorized' },
      detail: expect.stringContaining('used'),
    })
    const id = decodeURIComponent(path.split('/').at(-1) ?? '')
    const next = (await (await server.send('POST', `/api/v2/sessions/${id}/ticket`, {})).json()) as Made
    const protocol = `millrace.ticket.${next.ticket}`
    expect(await handshake(server, path, [protocol])).toEqual({ status: 101, protocol })
    expect(await handshake(server, path, [protocol])).toMatchObject({ status: 401 })
  })

  it('opens no other WebSocket and no route, and is spent by the attempt', async () => {
    const server = await startServer({ agents: [talking] })
    const [one, other] = [await made(server), await made(server)]
    for (const pathOfOther of [
      () => other.websocket_url,
      () => '/api/chat/ws',
      ({ session_id }: Made) => `/api/runs/${session_id}/ws`,
    ]) {
      const session = await made(server)
      const answer = await handshake(server, `${pathOfOther(session)}?ticket=${session.ticket}`)
      expect(answer).toMatchObject({ status: 401 })
    }
    expect(await handshake(server, `${other.websocket_url}?ticket=${one.ticket}`)).toMatchObject({ status: 401 })
    expect(await handshake(server, `${one.websocket_url}?ticket=${one.ticket}`)).toMatchObject({ status: 401 })
    for (const path of ['/api/threads', one.websocket_url, `/api/v2/sessions/${one.session_id}`]) {
      expect((await fetch(`${server.url}${path}?ticket=${other.ticket}`)).status).toBe(401)
    }
    expect(await handshake(server, `${other.websocket_url}?ticket=${other.ticket}`)).toMatchObject({ status: 101 })
  })

  it('lets no foreign page in, and one that the server names', async () => {
    const server = await startServer({ agents: [talking], origins: ['https://chat.example.com'] })
    const origins = { 'https://evil.example.com': 403, 'https://chat.example.com': 101 } as const
    for (const [origin, status] of Object.entries(origins)) {
      const { websocket_url: path, ticket } = await made(server)
      expect(await handshake(server, `${path}?ticket=${ticket}`, [], { origin })).toMatchObject({ status })
    }
  })

  it('is in no line of the log of requests, in no list, and in no other answer', async () => {
    const lines: RequestLine[] = []
    const server = await startServer({ agents: [talking], onRequest: (line) => lines.push(line) })
    const { session_id: id, websocket_url: path, ticket } = await made(server)
    await handshake(server, `${path}?ticket=${ticket}`)
    await handshake(server, `${path}?ticket=${ticket}`)
    await until(() => lines.filter((line) => line.path.startsWith('/api/v2/ws')).length === 2)
    const answers = await Promise.all(
      ['/api/v2/sessions', `/api/v2/sessions/${id}`, `/api/threads/${id}`, '/metrics'].map(async (each) =>
        (await server.ask(each)).text(),
      ),
    )
    expect([...answers, JSON.stringify(lines)].join('\n')).not.toContain(ticket.split('.')[1])
    const answer = await server.send('POST', `/api/v2/sessions/${id}/ticket`, {})
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('is asked for with the token', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const asked = await fetch(`${server.url}/api/v2/sessions/${id}/ticket`, { method: 'POST' })
    expect([asked.status, await asked.json()]).toMatchObject([401, { detail: expect.any(String) }])
  })

  it('is good for a minute', () => {
    let now = 1_000
    const tickets = createTickets({ now: () => now })
    const [early, late] = [tickets.issue('s'), tickets.issue('s')]
    now += 59_999
    expect(tickets.redeem(early)).toBe('s')
    now += 1
    expect(tickets.redeem(late)).toBeUndefined()
  })

  it('is not spent by a guess at its secret, and not by anything that is no ticket', () => {
    const tickets = createTickets()
    const ticket = tickets.issue('s')
    const [id = ''] = ticket.split('.')
    for (const guess of [id, `${id}.`, `${id}.x`, `.${ticket}`, `${ticket}.`, `${ticket} `, '', '.', '__proto__.x']) {
      expect(tickets.redeem(guess)).toBeUndefined()
    }
    expect(tickets.redeem(ticket)).toBe('s')
  })

  it('makes way for newer ones, so that they take a bounded memory', () => {
    const tickets = createTickets({ most: 3 })
    const all = ['a', 'b', 'c', 'd'].map((id) => tickets.issue(id))
    expect(all.map(tickets.redeem)).toEqual([undefined, 'b', 'c', 'd'])
  })
})

describe('the profile of a session', () => {
  const gate = createGate()
  const slow = scripted('slow', async function* () {
    for (const word of ['a ', 'little ', 'more']) yield text(word.repeat(40))
    await gate.opened
    yield done
  })

  const deltasOf = (messages: readonly RunMessage[]) =>
    messages.filter(({ metadata }) => metadata.is_delta === true).map(({ content }) => content)

  async function deltasIn(server: Serving, body: object, query = ''): Promise<readonly string[]> {
    const id = await newSession(server, body)
    const client = await connect(server, id, query)
    client.send({ type: 'query', query: 'go' })
    await until(() => deltasOf(client.messages).length >= 2)
    await client.close()
    return deltasOf(client.messages)
  }
  const isCumulative = ([first = '', second = '']: readonly string[]) => second.startsWith(first)

  it('is that of the address, else that of its creation, else that of the server', async () => {
    const plain = await startServer({ agents: [slow] })
    const set = await startServer({ agents: [slow], sessions: { profile: 'cumulative' } })
    expect(isCumulative(await deltasIn(plain, {}))).toBe(false)
    expect(isCumulative(await deltasIn(plain, { profile: 'cumulative' }))).toBe(true)
    expect(isCumulative(await deltasIn(plain, {}, '?profile=cumulative'))).toBe(true)
    expect(isCumulative(await deltasIn(set, {}))).toBe(true)
    gate.open()
  })

  it('also holds for its history', async () => {
    const calling = scripted('calling', async function* () {
      yield { type: 'search', data: { id: 's', query: 'tides' } }
      yield { type: 'search_result', data: { count: 0, results: [] } }
      yield text('None.')
      yield done
    })
    const server = await startServer({ agents: [calling] })
    const id = await newSession(server, { profile: 'legacy-names' })
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'go' })
    await client.untilSaid('final_answer')
    await client.close()
    const { messages } = (await (await server.ask(`/api/v2/sessions/${id}/messages`)).json()) as {
      messages: RunMessage[]
    }
    expect(messages).toEqual(wholeOf(client.messages))
    expect(messages.map(({ metadata }) => metadata.message_type)).toContain('execution_logs')
  })

  it('is one of the wire, or the server does not start', async () => {
    const options = { log: await memory.open({ folder: '' }), agents: [], dataFolder: tmpdir(), token: 'x' }
    await expect(createHandler({ ...options, sessions: { profile: 'other' } })).rejects.toThrow('cumulative')
  })
})

const silent = scripted('silent', async function* () {
  yield done
})

describe('the agent of a session', () => {
  it('may have another name for clients, which they get back', async () => {
    const server = await startServer({ agents: [silent, talking], sessions: { agents: { react: 'talking' } } })
    const { session_id: id, ...state } = await made(server, { agent_type: 'react' })
    expect(state).toMatchObject({ agent_type: 'react' })
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'go' })
    await client.untilSaid('final_answer')
    await client.close()
    expect((await server.log.runs(id)).map(({ agent }) => agent)).toEqual(['talking'])
    const answer = await server.send('POST', '/api/v2/sessions', { agent_type: 'codact' })
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'unknown-agent' } }])
    expect(pathOf(id)).toBe(state.websocket_url)
  })
})
