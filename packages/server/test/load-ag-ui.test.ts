import { HttpAgent, type Message } from '@ag-ui/client'
import { expect, it } from 'vitest'
import { asking, talking } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'

const clientOf = ({ url, token }: Serving, agent: string, initialMessages: readonly Message[] = []) =>
  new HttpAgent({
    url: `${url}/api/ag-ui/${agent}`,
    headers: { authorization: `Bearer ${token}` },
    threadId: 'thread-1',
    initialMessages: [...initialMessages],
  })

async function asked(client: HttpAgent, id: string, runId: string): Promise<void> {
  client.addMessage({ id, role: 'user', content: `question ${id}` })
  await client.runAgent({ runId })
}

it('loads a thread into a client that has nothing, as the client that streamed it holds it', async () => {
  const server = await startServer({ agents: [talking] })
  const client = clientOf(server, 'talking')
  await asked(client, 'u1', 'run-1')
  await asked(client, 'u2', 'run-2')
  const opened = clientOf(server, 'talking')
  await opened.runAgent()
  expect(opened.messages).toEqual(client.messages)
  expect(opened.messages.filter(({ role }) => role === 'user').map(({ id }) => id)).toEqual(['u1', 'u2'])
  // Nothing was started, and what was loaded can be continued.
  expect(await server.log.runs('thread-1')).toHaveLength(2)
  await asked(opened, 'u3', 'run-3')
  expect(opened.messages.length).toBeGreaterThan(client.messages.length)
})

it('loads a thread by its route, and a live run by its id', async () => {
  const gate = createGate()
  const slow = scripted('slow', async function* () {
    yield text('one ')
    await gate.opened
    yield text('two')
  })
  const server = await startServer({ agents: [talking, slow] })
  const client = clientOf(server, 'talking')
  await asked(client, 'u1', 'run-1')
  const other = clientOf(server, 'slow', client.messages)
  const under = asked(other, 'u2', 'run-2')
  await until(() => JSON.stringify(other.messages).includes('one '))
  const loaded = await (await server.ask('/api/threads/thread-1?wire=ag-ui')).json()
  const { messages, runs } = loaded as { messages: Message[]; runs: { id: string; state: string }[] }
  expect(messages).toEqual([...client.messages, { id: 'u2', role: 'user', content: 'question u2' }])
  const opened = clientOf(server, 'slow', messages)
  const live = runs.find(({ state }) => state !== 'ended')
  const resumed = opened.runAgent({ runId: live?.id ?? '' })
  gate.open()
  await Promise.all([under, resumed])
  expect(opened.messages).toEqual(other.messages)
  const joined = await (await server.ask('/api/ag-ui/slow?runId=run-2&offset=-1')).text()
  expect(joined).toContain('"delta":"two"')
  expect((await server.ask('/api/ag-ui/slow?runId=nowhere')).status).toBe(404)
})

it('loads the question that a run waits with, which the client then answers', async () => {
  const server = await startServer({ agents: [asking] })
  const client = clientOf(server, 'asking')
  await asked(client, 'u1', 'run-1')
  const opened = clientOf(server, 'asking')
  await opened.runAgent()
  expect(opened.messages).toEqual(client.messages)
  expect(opened.pendingInterrupts.map(({ id }) => id)).toEqual(client.pendingInterrupts.map(({ id }) => id))
  const [interrupt] = opened.pendingInterrupts
  const resume = [{ interruptId: interrupt?.id ?? '', status: 'resolved' as const, payload: { approved: true } }]
  await opened.runAgent({ resume })
  expect(JSON.stringify(opened.messages)).toContain('it is approved')
})

it('is refused for a thread that does not exist', async () => {
  const server = await startServer({ agents: [talking] })
  const body = { threadId: 'nowhere', runId: 'run-1', messages: [] }
  expect((await server.send('POST', '/api/ag-ui/talking', body)).status).toBe(400)
})
