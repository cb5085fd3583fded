import { HttpAgent } from '@ag-ui/client'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../src/run/agent.ts'
import { chatEventsOf } from '../src/run/history.ts'
import { createChatClient, partsOf } from './chat-client.ts'
import { talking } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, until } from './serving.ts'

const seen: AgentRequest[] = []

/** Leaves a call to the client, and sends the output that it gets. */
const wondering = scripted(
  'wondering',
  async function* (request) {
    seen.push(request)
    yield { type: 'start' }
    const [given] = request.input.toolOutputs ?? []
    if (given === undefined && request.input.text !== 'no tools') {
      const providerMetadata = { millrace: { runBy: 'client' } }
      const call = { toolCallId: 'c1', toolName: 'look_outside', dynamic: true, providerMetadata }
      yield { type: 'start-step' }
      yield { type: 'tool-input-start', ...call }
      yield { type: 'tool-input-available', ...call, input: { side: 'west' } }
      yield { type: 'finish-step' }
      yield { type: 'finish', finishReason: 'tool-calls' }
      return
    }
    const words = given === undefined ? 'Nothing asked.' : `It is ${JSON.stringify(given.output ?? given.error)}.`
    yield { type: 'text-start', id: 't1' }
    yield { type: 'text-delta', id: 't1', delta: words }
    yield { type: 'text-end', id: 't1' }
    yield { type: 'finish', finishReason: 'stop' }
  },
  'ai-sdk',
)

const toolsOf = (chatEvents: readonly ChatEvent[]) =>
  chatEvents.flatMap(({ segments }) => segments).filter((segment) => segment.type === 'tool')

describe('a tool that the client runs', () => {
  it('returns its output over the chat: the next run takes it and continues the same message', async () => {
    seen.length = 0
    const server = await startServer({ agents: [wondering] })
    const client = createChatClient(server, 'chat-1', {}, lastAssistantMessageIsCompleteWithToolCalls)
    const called: string[] = []
    client.onToolCall(({ toolCall }) => {
      called.push(toolCall.toolCallId)
      void client.chat.addToolOutput({
        tool: toolCall.toolName,
        toolCallId: toolCall.toolCallId,
        output: { sky: 'grey' },
      })
    })
    await client.chat.sendMessage({ text: 'how is it?' })
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('It is'))
    // Long enough for a client that would send further requests.
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([called, client.statuses, client.chat.status]).toEqual([['c1'], [200, 200], 'ready'])
    const [message, ...others] = client.chat.messages.filter(({ role }) => role === 'assistant')
    expect(others).toEqual([])
    expect(message?.parts.filter(({ type }) => type !== 'step-start')).toMatchObject([
      { type: 'dynamic-tool', toolCallId: 'c1', state: 'output-available', output: { sky: 'grey' } },
      { type: 'text', text: 'It is {"sky":"grey"}.' },
    ])
    const [first, second] = await server.log.runs('chat-1')
    expect([first?.outcome, second?.outcome, second?.afterRunId]).toEqual(['awaiting-input', 'success', first?.id])
    const history = seen[1]?.history ?? []
    const [call] = toolsOf(history)
    expect(call).toMatchObject({ callId: 'c1', state: 'done', output: { sky: 'grey' } })
    // The client does not say when its tool ended: in the history that is the end of the run that made the call.
    expect(call?.endedAt).toBe(history.at(-1)?.endedAt)
    await client.chat.sendMessage({ text: 'no tools' })
    expect((await server.log.runs('chat-1')).at(-1)?.afterRunId).toBe(second?.id)
  })

  it("is every call of a provider's response whose caller runs the tools", async () => {
    const delta = (fields: object, finish_reason: string | null = null) => ({
      id: 'r1',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: fields, finish_reason }],
    })
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const proxy = scripted(
      'proxy',
      async function* ({ input: { toolOutputs } }) {
        if (toolOutputs === undefined) {
          yield delta({ role: 'assistant', tool_calls: [call] })
          yield delta({}, 'tool_calls')
        } else {
          yield delta({ role: 'assistant', content: `Seen: ${toolOutputs[0]?.output}` })
          yield delta({}, 'stop')
        }
      },
      'openai-chat',
    )
    const server = await startServer({ agents: [proxy] })
    const client = createChatClient(server, 'chat-1', {}, lastAssistantMessageIsCompleteWithToolCalls)
    client.onToolCall(
      ({ toolCall: { toolName, toolCallId } }) =>
        void client.chat.addToolOutput({ tool: toolName, toolCallId, output: 'a heron' }),
    )
    await client.chat.sendMessage({ text: 'look' })
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('Seen: a heron'))
    await until(() => client.chat.status === 'ready')
    expect(client.statuses).toEqual([200, 200])
  })

  it('reports the client’s error', async () => {
    const server = await startServer({ agents: [wondering] })
    const client = createChatClient(server, 'chat-1', {}, lastAssistantMessageIsCompleteWithToolCalls)
    await client.chat.sendMessage({ text: 'how is it?' })
    await client.chat.addToolOutput({ state: 'output-error', tool: 'look_outside', toolCallId: 'c1', errorText: 'fog' })
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('It is \\"fog\\"'))
  })

  it('is replayed with both runs as one message, and a repeated output counts once', async () => {
    const gate = createGate()
    const slow = scripted(
      'slow',
      async function* (request, host) {
        if (request.input.toolOutputs === undefined) yield* lines(wondering.run(request, host))
        else {
          yield { type: 'text-start', id: 't1' }
          yield { type: 'text-delta', id: 't1', delta: 'One moment' }
          await gate.opened
          yield { type: 'text-end', id: 't1' }
          yield { type: 'finish' }
        }
      },
      'ai-sdk',
    )
    const server = await startServer({ agents: [slow] })
    const first = createChatClient(server, 'chat-1')
    await first.chat.sendMessage({ text: 'how is it?' })
    const answered = withOutput(first.chat.messages, { sky: 'grey' })
    const posts = [1, 2].map(() => server.send('POST', '/api/chat', { id: 'chat-1', messages: answered }))
    await until(async () => (await server.log.runs('chat-1')).length === 2)
    const second = createChatClient(server, 'chat-1')
    const resumed = second.chat.resumeStream()
    await until(() => JSON.stringify(partsOf(second, 'assistant')).includes('One moment'))
    const next = (await server.log.runs('chat-1'))[1]?.id ?? ''
    const alone = (await server.ask(`/api/runs/${next}/stream?wire=ai-sdk`)).text()
    gate.open()
    await resumed
    const bodies = await Promise.all(posts.map(async (post) => (await post).text()))
    expect(bodies[1]).toBe(bodies[0])
    // A viewer of the next run alone has no message to continue, and did not get the call.
    expect(await alone).toContain(`"messageId":"${next}"`)
    expect(await alone).not.toContain('tool-output')
    expect(await server.log.runs('chat-1')).toHaveLength(2)
    expect(second.chat.messages.map(({ id }) => id)).toEqual([first.chat.messages[1]?.id])
    expect(second.chat.messages[0]?.parts.filter(({ type }) => type !== 'step-start')).toMatchObject([
      { type: 'dynamic-tool', toolCallId: 'c1', output: { sky: 'grey' } },
      { type: 'text', text: 'One moment' },
    ])
  })

  it('returns its output over AG-UI as a tool message', async () => {
    const server = await startServer({ agents: [wondering] })
    const agent = httpAgent(server, 'wondering')
    agent.addMessage({ id: 'u1', role: 'user', content: 'how is it?' })
    const pending: string[] = []
    await agent.runAgent(
      {},
      {
        onRunFinishedEvent: (params) => {
          if (params.outcome === 'success') pending.push(...params.pendingToolCallIds)
        },
      },
    )
    expect(pending).toHaveLength(1)
    agent.addMessage({ id: 'r1', role: 'tool', toolCallId: pending[0] ?? '', content: 'rain' })
    await agent.runAgent({ runId: 'second' })
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'It is "rain".' })
    expect(agent.messages.filter(({ role }) => role === 'tool')).toHaveLength(1)
    const thread = await (await server.ask(`/api/threads/${agent.threadId}`)).json()
    expect(JSON.stringify(thread)).toContain('rain')
  })

  it('returns its output over the native API; an output for a call that is not open is refused', async () => {
    const server = await startServer({ agents: [wondering, talking] })
    await server.send('POST', '/api/threads/t/runs', { input: 'how is it?' })
    await until(async () => (await server.log.runs('t'))[0]?.state === 'ended')
    const give = (callId: string, thread = 't') => {
      const toolOutputs = [6, 7].map((output) => ({ callId, output }))
      return server.send('POST', `/api/threads/${thread}/runs`, { input: { toolOutputs } })
    }
    const refused = await give('c9')
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'not-open' } }])
    expect([(await give('c1', 'nowhere')).status, await server.log.thread('nowhere')]).toEqual([409, undefined])
    expect((await give('c1')).status).toBe(201)
    await until(async () => (await server.log.runs('t'))[1]?.state === 'ended')
    expect(await server.log.messages('t')).toMatchObject([{}, { content: 'It is 7.' }])
    const second = (await server.log.runs('t'))[1]?.id ?? ''
    expect(toolsOf(await chatEventsOf(server.log, second))).toMatchObject([{ callId: 'c1', output: 7 }])
    expect((await give('c1')).status).toBe(409)
  })

  it.each([false, 0, '', null, [], {}])('may return %j, which is kept as it is', async (output) => {
    const server = await startServer({ agents: [wondering] })
    await server.send('POST', '/api/threads/t/runs', { input: 'how is it?' })
    await until(async () => (await server.log.runs('t'))[0]?.state === 'ended')
    await server.send('POST', '/api/threads/t/runs', { input: { toolOutputs: [{ callId: 'c1', output }] } })
    await until(async () => (await server.log.runs('t'))[1]?.state === 'ended')
    const second = (await server.log.runs('t'))[1]?.id ?? ''
    expect(toolsOf(await chatEventsOf(server.log, second))).toMatchObject([{ callId: 'c1', state: 'done', output }])
  })
})

function httpAgent({ url, token }: Serving, name: string): HttpAgent {
  return new HttpAgent({ url: `${url}/api/ag-ui/${name}`, headers: { authorization: `Bearer ${token}` } })
}

/** The messages that a client sends once it has run the call. */
function withOutput(messages: readonly UIMessage[], output: unknown): readonly UIMessage[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'dynamic-tool' ? ({ ...part, state: 'output-available', output } as typeof part) : part,
    ),
  }))
}

async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<object> {
  for await (const chunk of bytes) yield JSON.parse(new TextDecoder().decode(chunk))
}
