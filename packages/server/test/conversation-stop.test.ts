import { readFileSync } from 'node:fs'
import { HttpAgent } from '@ag-ui/client'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { createChat } from '../../../proofs/wires/readers/ai-sdk.ts'
import { agUiClient } from './noting-agent.ts'
import { done } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'
import { stoppingFetch } from './stopping-fetch.ts'

/** Speaks once, and goes on until it is stopped. */
const endless = scripted('endless', async function* ({ signal, input }) {
  yield text(`One moment, ${input.text}.`)
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
})

const question = (id: string, words = id) => ({ id, role: 'user', parts: [{ type: 'text', text: words }] })

/** Asks and does not wait for the end of the answer. */
const ask = (server: Serving, chat: string, messages: readonly object[], more: object = {}) =>
  server.send('POST', '/api/chat', { id: chat, messages, ...more })

const stop = async (server: Serving, path: string, body: object = {}) => {
  const response = await server.send('POST', path, body)
  return [response.status, await response.json()] as const
}

const states = async (server: Serving, thread: string) =>
  (await server.log.runs(thread)).map(({ state, outcome }) => outcome ?? state)

const ended = (server: Serving, thread: string) =>
  until(async () => (await server.log.runs(thread)).every(({ state }) => state === 'ended'))

describe('POST /api/chat/:id/stop', () => {
  it('stops what the chat has live, and says whether there was anything', async () => {
    const server = await startServer({ agents: [endless] })
    const answer = (await ask(server, 'chat-1', [question('u1')])).text()
    const [{ id } = { id: '' }] = await server.log.runs('chat-1')
    const first = await stop(server, '/api/chat/chat-1/stop')
    expect(first).toEqual([200, { threadId: 'chat-1', stopped: true, runIds: [id] }])
    expect(await answer).toContain('One moment')
    expect(await states(server, 'chat-1')).toEqual(['cancelled'])
    for (const chat of ['chat-1', 'nowhere']) {
      const late = await stop(server, `/api/chat/${chat}/stop`)
      expect(late).toEqual([200, { threadId: chat, stopped: false, runIds: [] }])
    }
    expect(await server.log.thread('nowhere')).toBe(undefined)
  })

  it('stops the second run of a message that goes on over two, by the id of the message', async () => {
    const looking = scripted(
      'looking',
      async function* ({ input, signal }) {
        yield { type: 'start' }
        if (input.toolOutputs !== undefined) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return
        }
        const providerMetadata = { millrace: { runBy: 'client' } }
        const call = { toolCallId: 'c1', toolName: 'look', dynamic: true, providerMetadata }
        yield { type: 'tool-input-available', ...call, input: {} }
        yield { type: 'finish', finishReason: 'tool-calls' }
      },
      'ai-sdk',
    )
    const server = await startServer({ agents: [looking] })
    await (await ask(server, 'chat-1', [question('u1')])).text()
    const [{ id } = { id: '' }] = await server.log.runs('chat-1')
    const output = { type: 'dynamic-tool', toolName: 'look', toolCallId: 'c1', state: 'output-available', output: 1 }
    const rest = (await ask(server, 'chat-1', [question('u1'), { id, role: 'assistant', parts: [output] }])).text()
    const second = (await server.log.runs('chat-1'))[1]?.id
    const [, stopped] = await stop(server, '/api/chat/chat-1/stop', { messageId: id })
    expect(stopped).toMatchObject({ stopped: true, runIds: [second] })
    await rest
    expect(await states(server, 'chat-1')).toEqual(['awaiting-input', 'cancelled'])
  })

  it('never stops a run that is newer than the message which the caller names', async () => {
    const server = await startServer({ agents: [endless] })
    const streams = [ask(server, 'chat-1', [question('u1')])]
    await Promise.all(streams)
    streams.push(ask(server, 'chat-1', [question('u1'), question('u2')]))
    await Promise.all(streams)
    const [first, second] = await server.log.runs('chat-1')
    for (const messageId of ['unknown', '__proto__', '']) {
      expect((await stop(server, '/api/chat/chat-1/stop', { messageId }))[1]).toMatchObject({ stopped: false })
    }
    // By the id of a question that has no answer yet.
    expect((await stop(server, '/api/chat/chat-1/stop', { messageId: 'u1' }))[1]).toMatchObject({ runIds: [first?.id] })
    await until(async () => (await server.log.run(first?.id ?? ''))?.state === 'ended')
    expect((await server.log.run(second?.id ?? ''))?.state).toBe('live')
    expect((await stop(server, '/api/chat/chat-1/stop', { messageId: 'u1' }))[1]).toMatchObject({ stopped: false })
    expect((await stop(server, '/api/chat/chat-1/stop', { messageId: 'u2' }))[1]).toMatchObject({ stopped: true })
    await ended(server, 'chat-1')
    await Promise.all(streams.map(async (one) => (await one).text()))
  })

  it('stops a run that is being started', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [endless] })
    const createRun = server.log.createRun.bind(server.log)
    let isCreating = false
    server.log.createRun = async (run) => {
      isCreating = true
      await gate.opened
      return createRun(run)
    }
    const answer = ask(server, 'chat-1', [question('u1')]).then((response) => response.text())
    await until(() => isCreating)
    const stopped = stop(server, '/api/chat/chat-1/stop', { messageId: 'u1' })
    // The request of the stop is under way; what it waits for begins now.
    await new Promise((resolve) => setTimeout(resolve, 20))
    gate.open()
    expect((await stopped)[1]).toMatchObject({ stopped: true })
    await answer
    expect(await states(server, 'chat-1')).toEqual(['cancelled'])
  })

  it('is what `stop` of useChat does with the `fetch` of the documentation', async () => {
    const server = await startServer({ agents: [endless] })
    const headers = { authorization: `Bearer ${server.token}` }
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${server.url}/api/chat`,
      headers,
      fetch: stoppingFetch,
    })
    const chat = createChat({ id: 'chat-1', transport })
    const sent = chat.sendMessage({ text: 'go' })
    await until(() => JSON.stringify(chat.messages).includes('One moment'))
    await chat.stop()
    await sent
    await ended(server, 'chat-1')
    expect([await states(server, 'chat-1'), chat.status]).toEqual([['cancelled'], 'ready'])
  })
})

describe('POST /api/ag-ui/:agent/stop', () => {
  it('stops what the thread has live, which finishes the client’s run', async () => {
    const server = await startServer({ agents: [endless] })
    const client = agUiClient(server, 'endless')
    client.addMessage({ id: 'u1', role: 'user', content: 'go' })
    const running = client.runAgent({ runId: 'run-1' })
    await until(() => JSON.stringify(client.messages).includes('One moment'))
    const [status, stopped] = await stop(server, '/api/ag-ui/endless/stop', { threadId: 'thread-1', runId: 'run-1.1' })
    expect([status, stopped]).toEqual([200, { threadId: 'thread-1', stopped: true, runIds: ['run-1'] }])
    await running
    const late = await stop(server, '/api/ag-ui/endless/stop', { threadId: 'thread-1' })
    expect(late).toEqual([200, { threadId: 'thread-1', stopped: false, runIds: [] }])
    expect((await stop(server, '/api/ag-ui/nobody/stop', { threadId: 'thread-1' }))[0]).toBe(404)
    expect((await stop(server, '/api/ag-ui/endless/stop'))[0]).toBe(400)
  })

  it('never stops a run behind the one that the client names', async () => {
    const server = await startServer({ agents: [endless] })
    const clients = ['run-1', 'run-12'].map((runId) => {
      const client = agUiClient(server, 'endless')
      client.addMessage({ id: `u-${runId}`, role: 'user', content: runId })
      return client.runAgent({ runId })
    })
    await until(async () => (await server.log.runs('thread-1')).length === 2)
    for (const runId of ['other', 'run-1.x', 'run-']) {
      const [, stopped] = await stop(server, '/api/ag-ui/endless/stop', { threadId: 'thread-1', runId })
      expect(stopped).toMatchObject({ stopped: false })
    }
    const [first] = await server.log.runs('thread-1')
    const [, stopped] = await stop(server, '/api/ag-ui/endless/stop', { threadId: 'thread-1', runId: first?.id })
    expect(stopped).toMatchObject({ runIds: [first?.id] })
    await stop(server, '/api/ag-ui/endless/stop', { threadId: 'thread-1' })
    await Promise.all(clients)
    expect(await states(server, 'thread-1')).toEqual(['cancelled', 'cancelled'])
  })

  it('leaves a run alone that begins after the stop', async () => {
    const short = scripted('short', async function* () {
      yield done
    })
    const server = await startServer({ agents: [short] })
    await stop(server, '/api/ag-ui/short/stop', { threadId: 'thread-1', runId: 'run-1' })
    const client = agUiClient(server, 'short')
    client.addMessage({ id: 'u', role: 'user', content: 'go' })
    await client.runAgent({ runId: 'run-1' })
    expect(await states(server, 'thread-1')).toEqual(['success'])
  })

  it('is what `abortRun` of HttpAgent does with the `fetch` of the documentation', async () => {
    const server = await startServer({ agents: [endless] })
    const client = new HttpAgent({
      url: `${server.url}/api/ag-ui/endless`,
      headers: { authorization: `Bearer ${server.token}` },
      threadId: 'thread-1',
      fetch: stoppingFetch,
    })
    client.addMessage({ id: 'u1', role: 'user', content: 'go' })
    const running = client.runAgent().catch(() => undefined)
    await until(() => JSON.stringify(client.messages).includes('One moment'))
    client.abortRun()
    await running
    await ended(server, 'thread-1')
    expect(await states(server, 'thread-1')).toEqual(['cancelled'])
  })

  it('is documented with the very code that is tested here', () => {
    const page = readFileSync(new URL('../../../docs/wires/README.md', import.meta.url), 'utf8')
    expect(page).toContain(readFileSync(new URL('./stopping-fetch.ts', import.meta.url), 'utf8'))
  })
})
