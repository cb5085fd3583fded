import { describe, expect, it } from 'vitest'
import { type ChatClient, createChatClient, partsOf } from './chat-client.ts'
import { framesOf } from './frames.ts'
import { asking, askingTwice, done, talking } from './scripted-agents.ts'
import { createGate, scripted, startServer, text, until } from './serving.ts'

/** The first open question. */
function openApproval(client: ChatClient): string | undefined {
  for (const part of partsOf(client, 'assistant').flat()) {
    if (part.type === 'dynamic-tool' && part.state === 'approval-requested') return part.approval.id
  }
  return undefined
}

describe("the AI SDK's chat", () => {
  it('S0-6: sends, streams text and tools, and continues in the same thread', async () => {
    const server = await startServer({ agents: [talking] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'hello' })
    await client.chat.sendMessage({ text: 'again' })
    expect([client.chat.error, client.chat.status]).toEqual([undefined, 'ready'])
    const [first, second] = partsOf(client, 'assistant')
    expect(first).toMatchObject([
      { type: 'text', text: 'You said hello, after 0.' },
      { type: 'dynamic-tool', state: 'output-available', input: { part: 'wheel' } },
    ])
    expect(JSON.stringify(second)).toContain('You said again, after 2.')
    const runs = await server.log.runs('chat-1')
    expect(client.chat.messages.filter(({ role }) => role === 'assistant').map(({ id }) => id)).toEqual(
      runs.map(({ id }) => id),
    )
  })

  it('uses the first agent that can run, if the body names none', async () => {
    const missing = { ...asking, unavailable: () => 'Its program is missing.' }
    const server = await startServer({ agents: [missing, talking] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'hello' })
    expect((await server.log.runs('chat-1'))[0]?.agent).toBe('talking')
  })

  it('uses the agent that the body names', async () => {
    const server = await startServer({ agents: [asking, talking] })
    const client = createChatClient(server, 'chat-1', { agent: 'talking' })
    await client.chat.sendMessage({ text: 'hello' })
    expect(JSON.stringify(partsOf(client, 'assistant'))).toContain('You said hello')
  })

  it('S0-26: replays a live run as the same message to a client that comes back, and ends with it', async () => {
    const gate = createGate()
    const agent = scripted('slow', async function* () {
      yield text('one ')
      await gate.opened
      yield text('two')
      yield done
    })
    const server = await startServer({ agents: [agent] })
    const first = createChatClient(server, 'chat-1')
    const sending = first.chat.sendMessage({ text: 'go' })
    await until(() => JSON.stringify(partsOf(first, 'assistant')).includes('one'))
    const second = createChatClient(server, 'chat-1')
    const resuming = second.chat.resumeStream()
    await until(() => JSON.stringify(partsOf(second, 'assistant')).includes('one'))
    gate.open()
    await Promise.all([sending, resuming])
    expect(second.chat.messages).toEqual(first.chat.messages.slice(1))
    expect(JSON.stringify(partsOf(second, 'assistant'))).toContain('one two')
    const late = createChatClient(server, 'chat-1')
    await late.chat.resumeStream()
    expect([late.statuses, late.chat.messages]).toEqual([[204], []])
  })

  it('answers with 204 for a chat without messages', async () => {
    const server = await startServer({ agents: [talking] })
    expect((await server.ask('/api/chat/nowhere/stream')).status).toBe(204)
  })

  it.each([true, false])(
    'ends the response at a question, and continues with the next chunk after the answer (%s)',
    async (approved) => {
      const server = await startServer({ agents: [asking] })
      const client = createChatClient(server, 'chat-1')
      await client.chat.sendMessage({ text: 'repair it' })
      for (const id of ['c1', 'c2']) {
        await until(() => client.chat.status === 'ready')
        const part = partsOf(client, 'assistant')
          .flat()
          .findLast((each) => each.type === 'dynamic-tool')
        expect(part).toMatchObject({ toolCallId: id, state: 'approval-requested' })
        const approvalId = part?.type === 'dynamic-tool' ? (part.approval?.id ?? '') : ''
        await client.chat.addToolApprovalResponse({ id: approvalId, approved })
        await until(() => JSON.stringify(partsOf(client, 'assistant')).includes(id === 'c1' ? 'Before c2' : 'All done'))
      }
      await until(() => client.chat.status === 'ready')
      expect(client.chat.error).toBeUndefined()
      const [parts = []] = partsOf(client, 'assistant')
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      expect(texts).toEqual(['Before c1.', 'Before c2.', 'All done.'])
      expect(client.statuses).toEqual([200, 200, 200])
      const [{ id: runId = '' } = {}] = await server.log.runs('chat-1')
      const whole = await (await server.ask(`/api/runs/${runId}/stream?wire=ai-sdk`)).text()
      expect(framesOf(whole).filter(({ data }) => data.includes('"type":"tool-approval-response"'))).toHaveLength(2)
    },
  )

  it('replays a waiting run up to its question, so that a reconnecting client can answer it', async () => {
    const server = await startServer({ agents: [asking] })
    const first = createChatClient(server, 'chat-1')
    await first.chat.sendMessage({ text: 'repair it' })
    const second = createChatClient(server, 'chat-1')
    await second.chat.resumeStream()
    expect(second.chat.status).toBe('ready')
    expect(partsOf(second, 'assistant')).toEqual(partsOf(first, 'assistant'))
    const part = partsOf(second, 'assistant').flat().at(-1)
    const approvalId = part?.type === 'dynamic-tool' ? (part.approval?.id ?? '') : ''
    await second.chat.addToolApprovalResponse({ id: approvalId, approved: true })
    await until(() => JSON.stringify(partsOf(second, 'assistant')).includes('Before c2'))
    const third = createChatClient(server, 'chat-1')
    await third.chat.resumeStream()
    await until(() => second.chat.status === 'ready')
    expect(JSON.stringify(partsOf(third, 'assistant'))).toContain('Before c2')
    expect(third.chat.status).toBe('ready')
  })

  it('accepts answers to two concurrent questions one after the other', async () => {
    const server = await startServer({ agents: [askingTwice] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'repair it' })
    for (let answered = 0; answered < 2; answered++) {
      await until(() => client.chat.status === 'ready' && openApproval(client) !== undefined)
      await client.chat.addToolApprovalResponse({ id: openApproval(client) ?? '', approved: true })
    }
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('All done'))
    await until(() => client.chat.status === 'ready')
    const tools = partsOf(client, 'assistant')
      .flat()
      .filter(({ type }) => type === 'dynamic-tool')
    expect(tools).toMatchObject([
      { toolCallId: 'c1', state: 'output-available', output: 'approved' },
      { toolCallId: 'c2', state: 'output-available', output: 'approved' },
    ])
    expect(client.chat.error).toBeUndefined()
  })

  it('starts no second run for a repeated message, and another run for a regenerated answer', async () => {
    const server = await startServer({ agents: [talking] })
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'once' }] }
    const post = (more: object = {}) => server.send('POST', '/api/chat', { id: 'c', messages: [message], ...more })
    const [one, two] = [await (await post()).text(), await (await post()).text()]
    expect(two).toBe(one)
    expect(await server.log.runs('c')).toHaveLength(1)
    await (await post({ trigger: 'regenerate-message' })).text()
    const runs = await server.log.runs('c')
    expect(runs).toHaveLength(2)
    // The new first answer is a branch beside the old one, not its successor.
    expect(runs.map(({ afterRunId }) => afterRunId)).toEqual([undefined, undefined])
  })

  it('stores the files of a message and gives them to the agent', async () => {
    const agent = scripted('reader', async function* ({ input }) {
      yield text(JSON.stringify(input.files?.map(({ filename, mediaType }) => [filename, mediaType])))
      yield done
    })
    const server = await startServer({ agents: [agent] })
    const client = createChatClient(server, 'chat-1')
    const file = {
      type: 'file',
      mediaType: 'text/plain',
      filename: 'a.txt',
      url: 'data:text/plain;base64,YWJj',
    } as const
    await client.chat.sendMessage({ text: 'read', files: [file] })
    expect(JSON.stringify(partsOf(client, 'assistant'))).toContain('a.txt')
    const elsewhere = { ...file, url: 'http://169.254.169.254/secrets' }
    const messages = [{ role: 'user', parts: [elsewhere] }]
    expect((await server.send('POST', '/api/chat', { id: 'c2', messages })).status).toBe(400)
  })

  it.each([
    [{}, 400],
    [{ id: 'c', messages: [] }, 400],
    [{ id: '../c', messages: [{ role: 'user', parts: [] }] }, 400],
    [{ id: 'c', messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'x' }] }] }, 400],
    [
      {
        id: 'c',
        messages: [
          {
            role: 'assistant',
            parts: [{ type: 'dynamic-tool', state: 'approval-responded', approval: { id: 'a', approved: true } }],
          },
        ],
      },
      409,
    ],
    [{ id: 'c', agent: 'nobody', messages: [{ role: 'user', parts: [] }] }, 404],
  ])('refuses %j with %i', async (body, status) => {
    const server = await startServer({ agents: [talking] })
    expect((await server.send('POST', '/api/chat', body)).status).toBe(status)
  })

  it('refuses an answer after the end of the run that asked, once the client has read that end', async () => {
    const server = await startServer()
    const chunks = [
      { type: 'start', messageId: 'm1' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} },
      { type: 'tool-approval-request', approvalId: 'own', toolCallId: 'c' },
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: 'I do not wait.' },
      { type: 'text-end', id: 't1' },
      { type: 'finish' },
    ]
    const body = chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join('')
    await server.ask('/api/ingest?format=ai-sdk&threadId=t&runId=r', { method: 'POST', body })
    const approval = { id: 'own', approved: true }
    const parts = [{ type: 'dynamic-tool', state: 'approval-responded', approval }]
    const send = (more: object) =>
      server.send('POST', '/api/chat', { id: 't', messages: [{ id: 'r', role: 'assistant', parts, ...more }] })
    // A client that has lost the response gets it again; one that has it would repeat its answer without end.
    expect((await send({})).status).toBe(200)
    expect((await send({ metadata: { outcome: 'awaiting-input' } })).status).toBe(409)
  })
})
