import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { createChat } from '../../../proofs/wires/readers/ai-sdk.ts'
import { type ChatClient, createChatClient } from './chat-client.ts'
import { asking, done, talking } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'

interface Loaded {
  readonly messages: UIMessage[]
  readonly resume: boolean
  readonly next?: string
}

const load = async ({ ask }: Serving, query = '', id = 'chat-1'): Promise<Loaded> => {
  const response = await ask(`/api/chat/${id}${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Loaded
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value
const held = ({ chat }: Pick<ChatClient, 'chat'>) => throughJson(chat.messages)

/** A page that is opened anew: it loads the chat, and streams what is live as the documentation says. */
async function reopened(server: Serving) {
  const { messages, resume } = await load(server)
  const chat = createChat({
    id: 'chat-1',
    transport: new DefaultChatTransport({
      headers: { authorization: `Bearer ${server.token}` },
      prepareReconnectToStreamRequest: ({ id }) => ({ api: `${server.url}/api/chat/${id}/stream?replay=last` }),
    }),
  })
  chat.messages = messages
  return { chat, resume }
}

/** Leaves a call to the client; with its output it says a first word, and the second when the gate opens. */
const wondering = (gate: Promise<void>) =>
  scripted(
    'wondering',
    async function* ({ input }) {
      yield { type: 'start' }
      const [given] = input.toolOutputs ?? []
      if (given === undefined) {
        const call = {
          toolCallId: `look-${input.text}`,
          toolName: 'look',
          dynamic: true,
          providerMetadata: { millrace: { runBy: 'client' } },
        }
        yield { type: 'tool-input-start', ...call }
        yield { type: 'tool-input-available', ...call, input: {} }
        yield { type: 'finish', finishReason: 'tool-calls' }
        return
      }
      yield { type: 'text-start', id: 't1' }
      yield { type: 'text-delta', id: 't1', delta: `It is ${given.output}` }
      await gate
      yield { type: 'text-delta', id: 't1', delta: ', still.' }
      yield { type: 'text-end', id: 't1' }
      yield { type: 'finish', finishReason: 'stop' }
    },
    'ai-sdk',
  )

const slow = (gate: Promise<void>) =>
  scripted('slow', async function* () {
    yield text('one ')
    await gate
    yield text('two')
    yield done
  })

describe('a chat that is loaded', () => {
  it('is what its client holds after two questions, with the same ids', async () => {
    const server = await startServer({ agents: [talking] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'first' })
    await client.chat.sendMessage({ text: 'second' })
    expect(await load(server)).toEqual({ messages: held(client), resume: false })
    expect(held(client).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('contains the current branch only', async () => {
    const server = await startServer({ agents: [talking] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'first' })
    await client.chat.sendMessage({ text: 'second' })
    await client.chat.regenerate()
    expect((await load(server)).messages).toEqual(held(client))
    const [first] = client.chat.messages
    await client.chat.sendMessage({ text: 'edited', messageId: first?.id ?? '' })
    expect((await load(server)).messages).toEqual(held(client))
    expect(held(client)).toHaveLength(2)
  })

  it('has one message for the two runs that a tool of the client makes', async () => {
    const server = await startServer({ agents: [wondering(Promise.resolve())] })
    const client = createChatClient(server, 'chat-1', {}, lastAssistantMessageIsCompleteWithToolCalls)
    await client.chat.sendMessage({ text: 'how is it?' })
    // The call that waits for the client survives a reload.
    expect((await load(server)).messages).toEqual(held(client))
    await client.chat.addToolOutput({ tool: 'look', toolCallId: 'look-how is it?', output: 'grey' })
    await until(() => JSON.stringify(held(client)).includes('still'))
    await until(() => client.chat.status === 'ready')
    expect((await load(server)).messages).toEqual(held(client))
    expect(held(client)).toHaveLength(2)
  })

  it('has answered approvals as the client shows them', async () => {
    const server = await startServer({ agents: [asking] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'go' })
    for (const approved of [true, false]) {
      const { messages, resume } = await load(server, '?live=1')
      expect([messages, resume]).toEqual([held(client), true])
      const part = client.chat.lastMessage?.parts.findLast(({ type }) => type === 'dynamic-tool')
      if (part?.type !== 'dynamic-tool' || part.state !== 'approval-requested') throw new Error('nothing is asked')
      await client.chat.addToolApprovalResponse({ id: part.approval.id, approved })
      await until(() => client.chat.status === 'ready')
    }
    await until(() => JSON.stringify(held(client)).includes('All done.'))
    expect(await load(server)).toEqual({ messages: held(client), resume: false })
  })

  it('lacks the message of a live run, which the stream brings from its first chunk', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [talking, slow(gate.opened)] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'first' })
    const sent = client.chat.sendMessage({ text: 'second' }, { body: { agent: 'slow' } })
    await until(() => JSON.stringify(held(client)).includes('one '))
    const { chat, resume } = await reopened(server)
    expect([resume, throughJson(chat.messages)]).toEqual([true, held(client).slice(0, 3)])
    expect((await load(server, '?live=1')).messages).toEqual(held(client))
    const resumed = chat.resumeStream()
    await until(() => JSON.stringify(chat.messages).includes('one '))
    gate.open()
    await Promise.all([sent, resumed])
    expect(throughJson(chat.messages)).toEqual(held(client))
    expect(await load(server)).toEqual({ messages: held(client), resume: false })
  })

  it('lacks a live message that began in an earlier run, and gets all of it from the stream', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [wondering(gate.opened)] })
    const client = createChatClient(server, 'chat-1', {}, lastAssistantMessageIsCompleteWithToolCalls)
    await client.chat.sendMessage({ text: 'how is it?' })
    await client.chat.addToolOutput({ tool: 'look', toolCallId: 'look-how is it?', output: 'grey' })
    await until(() => JSON.stringify(held(client)).includes('It is grey'))
    const { chat, resume } = await reopened(server)
    expect([resume, throughJson(chat.messages)]).toEqual([true, held(client).slice(0, 1)])
    expect((await load(server, '?live=1')).messages).toEqual(held(client))
    const resumed = chat.resumeStream()
    gate.open()
    await resumed
    await until(() => JSON.stringify(held(client)).includes('still'))
    expect(throughJson(chat.messages)).toEqual(held(client))
  })

  it('comes in pages that cut no message in two', async () => {
    const server = await startServer({ agents: [wondering(Promise.resolve())] })
    const client = createChatClient(server, 'chat-1', {}, lastAssistantMessageIsCompleteWithToolCalls)
    for (const number of [1, 2]) {
      await client.chat.sendMessage({ text: `question ${number}` })
      await client.chat.addToolOutput({ tool: 'look', toolCallId: `look-question ${number}`, output: `grey ${number}` })
      await until(() => JSON.stringify(held(client)).includes(`grey ${number}, still`))
      await until(() => client.chat.status === 'ready')
    }
    const newest = await load(server, '?limit=1')
    expect(newest.messages).toEqual(held(client).slice(2))
    const older = await load(server, `?limit=1&before=${newest.next}`)
    expect([older.messages, older.next]).toEqual([held(client).slice(0, 2), undefined])
    expect((await server.ask('/api/chat/chat-1?before=nowhere')).status).toBe(400)
  })

  it('is empty before the first question', async () => {
    const server = await startServer({ agents: [talking] })
    expect(await load(server)).toEqual({ messages: [], resume: false })
  })
})

describe('an answer that was cut off', () => {
  it('is whole again after its run has ended, under the same id', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [slow(gate.opened)] })
    const { chat } = await reopened(server)
    const posted = await server.send('POST', '/api/chat', {
      id: 'chat-1',
      messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'go' }] }],
    })
    const reader = posted.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const before = (await load(server, '?live=1')).messages
    chat.messages = before
    gate.open()
    await until(async () => (await server.log.runs('chat-1'))[0]?.state === 'ended')
    expect((await server.ask('/api/chat/chat-1/stream')).status).toBe(204)
    await chat.resumeStream()
    const [question, answer, ...others] = chat.messages
    expect([question?.id, answer?.id, others]).toEqual(['u1', before[1]?.id, []])
    expect(answer?.parts).toMatchObject([{ type: 'text', text: 'one two', state: 'done' }])
    expect(throughJson(chat.messages)).toEqual((await load(server)).messages)
  })

  it('is 204 where nothing was ever said', async () => {
    const server = await startServer({ agents: [talking] })
    expect((await server.ask('/api/chat/chat-1/stream?replay=last')).status).toBe(204)
    expect((await server.ask('/api/chat/chat-1/stream?replay=first')).status).toBe(400)
  })
})
