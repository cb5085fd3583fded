import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai'
import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../src/run/agent.ts'
import { createChatClient, partsOf } from './chat-client.ts'
import { agUiClient, noting } from './noting-agent.ts'
import { done } from './scripted-agents.ts'
import { type Serving, scripted, startServer, text, until } from './serving.ts'

/** What the log has of a client, by the roles of its messages. */
async function logged({ log }: Serving, threadId: string) {
  const found: unknown[] = []
  for (const { id } of await log.runs(threadId)) {
    for await (const entries of log.read(id, { after: 0, live: false })) {
      for (const { event } of entries) {
        if (event.type === 'message-start' && event.meta !== undefined) found.push([event.role, event.meta.millrace])
      }
    }
  }
  return found
}

const tool = { name: 'pick', description: 'Picks a colour', parameters: { type: 'object' } }

/** Calls a tool of the client, in a format that knows nothing of clients, and says what it got. */
function picking(seen: AgentRequest[]) {
  return scripted('picking', async function* (request) {
    seen.push(request)
    const [given] = request.input.toolOutputs ?? []
    if (given === undefined) yield { type: 'tool_use', data: { id: 'same', name: 'pick', input: { nth: seen.length } } }
    else yield text(`Picked ${given.output}.`)
    yield done
  })
}

describe('what an AG-UI client sends beside its messages', () => {
  it('reaches the agent, and is logged with the message', async () => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    const client = agUiClient(server)
    client.messages = [
      { id: 's', role: 'system', content: 'Be brief.' },
      { id: 'd', role: 'developer', content: 'In German.' },
      { id: 'u1', role: 'user', content: 'go' },
    ]
    client.state = { page: 7 }
    const context = [{ description: 'where', value: 'harbour' }]
    await client.runAgent({ tools: [tool], context, forwardedProps: { model: 'small' } })
    const expected = {
      tools: [tool],
      context,
      state: { page: 7 },
      forwardedProps: { model: 'small' },
      system: 'Be brief.\n\nIn German.',
    }
    expect(last().input.client).toEqual(expected)
    expect(last().clientTools).toEqual([tool])
    expect(await logged(server, 'thread-1')).toEqual([['user', { clientId: 'u1', client: expected }]])
  })

  it('is left out of the log if it is nothing', async () => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    const client = agUiClient(server)
    client.addMessage({ id: 'u1', role: 'user', content: 'go' })
    await client.runAgent()
    expect([last().input.client, last().clientTools]).toEqual([undefined, []])
    expect(await logged(server, 'thread-1')).toEqual([['user', { clientId: 'u1' }]])
  })

  it('may offer tools: the run ends with the call open, and each output comes back to its own call', async () => {
    const seen: AgentRequest[] = []
    const server = await startServer({ agents: [picking(seen)] })
    const client = agUiClient(server, 'picking')
    for (const turn of [1, 2]) {
      client.addMessage({ id: `u${turn}`, role: 'user', content: 'pick' })
      const pending: string[] = []
      const onRunFinishedEvent = (finished: { outcome?: string; pendingToolCallIds?: readonly string[] }) => {
        pending.push(...(finished.pendingToolCallIds ?? []))
      }
      await client.runAgent({ tools: [tool] }, { onRunFinishedEvent: onRunFinishedEvent as never })
      expect((await server.log.runs('thread-1')).at(-1)?.outcome).toBe('awaiting-input')
      expect(pending).toHaveLength(1)
      client.addMessage({ id: `r${turn}`, role: 'tool', toolCallId: pending[0] ?? '', content: `colour ${turn}` })
      await client.runAgent({ tools: [tool] })
      expect(client.messages.at(-1)).toMatchObject({ content: `Picked colour ${turn}.` })
    }
    expect(seen.map(({ clientTools }) => clientTools.length)).toEqual([1, 1, 1, 1])
    const calls = seen.at(-1)?.history.flatMap(({ segments }) => segments.filter(({ type }) => type === 'tool'))
    expect(calls).toMatchObject([{ output: 'colour 1' }, { output: 'colour 2' }])
  })

  it('may return an output to an earlier run than the last, by the id of its call', async () => {
    const seen: AgentRequest[] = []
    const server = await startServer({ agents: [picking(seen)] })
    const client = agUiClient(server, 'picking')
    for (const turn of [1, 2]) {
      client.addMessage({ id: `u${turn}`, role: 'user', content: 'pick' })
      await client.runAgent({ runId: `run-${turn}`, tools: [tool] })
    }
    client.addMessage({ id: 'r1', role: 'tool', toolCallId: 'run-1/same', content: 'red' })
    await client.runAgent({ runId: 'run-3' })
    expect((await server.log.run('run-3'))?.afterRunId).toBe('run-1')
    expect(seen[2]?.input.toolOutputs).toMatchObject([{ callId: 'same', output: 'red' }])
  })

  it('may send an output together with the next question', async () => {
    const seen: AgentRequest[] = []
    const server = await startServer({ agents: [picking(seen)] })
    const client = agUiClient(server, 'picking')
    client.addMessage({ id: 'u1', role: 'user', content: 'pick' })
    await client.runAgent({ runId: 'run-1', tools: [tool] })
    client.addMessage({ id: 'r1', role: 'tool', toolCallId: 'run-1/same', content: 'red' })
    client.addMessage({ id: 'u2', role: 'user', content: 'and why?' })
    await client.runAgent()
    expect(seen[1]?.input).toMatchObject({ text: 'and why?', toolOutputs: [{ callId: 'same', output: 'red' }] })
  })

  it('may be a file in the shape of clients before 1.0', async () => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    const binary = { type: 'binary', mimeType: 'image/png', data: 'aGVyb24=', filename: 'heron.png' }
    const content = [{ type: 'text', text: 'what is it?' }, binary, { type: 'binary', mimeType: 'x/y' }]
    const messages = [{ id: 'u1', role: 'user', content }]
    await (await server.send('POST', '/api/ag-ui/noting', { threadId: 't', runId: 'r', messages })).text()
    const [file, ...others] = last().input.files ?? []
    expect([file, others]).toMatchObject([{ mediaType: 'image/png', filename: 'heron.png' }, []])
    expect(await (await server.ask(`/api/files/${file?.id}`)).text()).toBe('heron')
  })

  it('may be the id of an uploaded file, and is refused if there is none: it is not dropped', async () => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    const ask = (id: string) => {
      const content = [{ type: 'binary', mimeType: 'image/png', id }]
      const messages = [{ id: `u-${id}`, role: 'user', content }]
      return server.send('POST', '/api/ag-ui/noting', { threadId: 't', runId: `r-${id}`, messages })
    }
    const upload = { method: 'POST', headers: { 'content-type': 'image/png' }, body: 'heron' }
    const { id } = (await (await server.ask('/api/files', upload)).json()) as { id: string }
    await (await ask(id)).text()
    expect(last().input.files).toMatchObject([{ id, mediaType: 'image/png' }])
    for (const unknown of ['nowhere', 'f'.repeat(32)]) expect((await ask(unknown)).status).toBe(400)
  })
})

describe('what a chat client sends beside its messages', () => {
  it('reaches the agent, and is logged with the message', async () => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    const client = createChatClient(server, 'chat-1', { model: 'small', tools: { pick: { ...tool, name: undefined } } })
    client.chat.messages = [{ id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }]
    await client.chat.sendMessage({ text: 'go', metadata: { tab: 3 } }, { body: { temperature: 0 } })
    const { name: _name, ...described } = tool
    const body = { model: 'small', tools: { pick: described }, temperature: 0 }
    const expected = { body, system: 'Be brief.', metadata: { tab: 3 } }
    expect(last().input.client).toEqual(expected)
    expect(last().clientTools).toEqual([tool])
    const clientId = client.chat.messages.find(({ role }) => role === 'user')?.id
    expect(await logged(server, 'chat-1')).toEqual([['user', { clientId, client: expected }]])
  })

  it('may offer tools, over and over, although the agent repeats the ids of its calls', async () => {
    const seen: AgentRequest[] = []
    const server = await startServer({ agents: [picking(seen)] })
    const body = { tools: { pick: {} } }
    const client = createChatClient(server, 'chat-1', body, lastAssistantMessageIsCompleteWithToolCalls)
    let picked = 0
    client.onToolCall(
      ({ toolCall: { toolName, toolCallId } }) =>
        void client.chat.addToolOutput({ tool: toolName, toolCallId, output: `colour ${++picked}` }),
    )
    for (const turn of [1, 2, 3]) {
      await client.chat.sendMessage({ text: 'pick' })
      await until(() => JSON.stringify(partsOf(client, 'assistant')).includes(`Picked colour ${turn}`))
      await until(() => client.chat.status === 'ready')
    }
    expect(client.statuses).toEqual([200, 200, 200, 200, 200, 200])
    // The run that takes an output logs what came with it.
    expect((await logged(server, 'chat-1')).filter((one) => (one as string[])[0] === 'tool')).toHaveLength(3)
  })

  it('may offer tools to an agent that calls one again, under the same id, in the same message', async () => {
    const again = scripted('again', async function* ({ input, history }) {
      const answered = history.flatMap(({ segments }) => segments).filter(({ type }) => type === 'tool').length
      if (answered < 3) yield { type: 'tool_use', data: { id: 'same', name: 'pick', input: {} } }
      else yield text(`Enough, the last is ${input.toolOutputs?.[0]?.output}.`)
      yield done
    })
    const server = await startServer({ agents: [again] })
    const body = { tools: { pick: {} } }
    const client = createChatClient(server, 'chat-1', body, lastAssistantMessageIsCompleteWithToolCalls)
    let picked = 0
    client.onToolCall(
      ({ toolCall: { toolName, toolCallId } }) =>
        void client.chat.addToolOutput({ tool: toolName, toolCallId, output: `colour ${++picked}` }),
    )
    await client.chat.sendMessage({ text: 'pick' })
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('the last is colour 3'))
    expect(new Set(client.statuses)).toEqual(new Set([200]))
  })
})

describe('what a client sends beside its messages', () => {
  it('is refused with a sentence if it is too much for the log, and nothing is started', async () => {
    const { agent } = noting()
    const server = await startServer({ agents: [agent], limits: { bodyBytes: 8 * 1024 * 1024 } })
    const much = 'x'.repeat(1024 * 1024)
    const user = { id: 'u', role: 'user' }
    const refusals = [
      await server.send('POST', '/api/chat', { id: 't', messages: [{ ...user, parts: [] }], model: much }),
      await server.send('POST', '/api/ag-ui/noting', {
        threadId: 't',
        runId: 'r',
        messages: [{ ...user, content: 'go' }],
        state: { much },
      }),
    ]
    for (const refused of refusals) {
      expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: 'client-too-large' } }])
    }
    expect(await server.log.runs('t')).toEqual([])
  })

  it.each([
    ['prototypes', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":2}'],
    ['a list of tools that are none', '{"tools":[null,1,"x",{"name":{}},{"name":"__proto__"}]}'],
    ['deep JSON', `{"deep":${'['.repeat(400)}${']'.repeat(400)}}`],
  ])('may be %s', async (_what, json) => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    const messages = '"messages":[{"id":"u","role":"user","parts":[{"type":"text","text":"go"}],"content":"go"}]'
    const bodies = [
      ['/api/chat', `${json.slice(0, -1)},"id":"t1",${messages}}`],
      ['/api/ag-ui/noting', `{"state":${json},"tools":${json},"threadId":"t2","runId":"r",${messages}}`],
    ]
    for (const [path = '', body = ''] of bodies) {
      const response = await server.ask(path, { method: 'POST', body })
      expect([response.status, (await response.text()).includes('Answer to go')]).toEqual([200, true])
      expect(last().input.client).toBeTypeOf('object')
    }
    expect(({} as { polluted?: number }).polluted).toBe(undefined)
    expect((await server.ask('/api/chat', { method: 'POST', body: `{"a":${'['.repeat(9_999)}` })).status).toBe(400)
  })
})
