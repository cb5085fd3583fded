import type { UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { type ChatClient, createChatClient, partsOf } from './chat-client.ts'
import { asking, done, result, talking } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'

/** The assistant's texts, one string per message. */
const answersOf = (client: ChatClient) =>
  partsOf(client, 'assistant').map((parts) =>
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  )

const ready = (client: ChatClient) => until(() => client.chat.status === 'ready')
const isSaid = (client: ChatClient, words: string) => until(() => answersOf(client).join().includes(words))

/** The open question of the last message. */
function openQuestion(client: ChatClient): string {
  const part = partsOf(client, 'assistant').flat().at(-1)
  if (part?.type !== 'dynamic-tool' || part.state !== 'approval-requested')
    throw new Error('the message has no open question')
  return part.approval.id
}

/** Continues only when the gate is opened. */
function gated() {
  const gate = createGate()
  const agent = scripted('gated', async function* ({ signal }) {
    yield text('one ')
    await Promise.race([gate.opened, new Promise((resolve) => signal.addEventListener('abort', resolve))])
    yield text('two')
    yield done
  })
  return { gate, agent }
}

async function eventTypes({ log }: Serving, runId: string): Promise<string[]> {
  const types: string[] = []
  for await (const entries of log.read(runId, { after: 0, live: false }))
    types.push(...entries.map(({ event }) => event.type))
  return types
}

describe('a conversation of the AI SDK’s chat', () => {
  async function twoTurns() {
    const server = await startServer({ agents: [talking] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'first' })
    await client.chat.sendMessage({ text: 'second' })
    const [one, two] = await server.log.runs('chat-1')
    if (one === undefined || two === undefined) throw new Error('there are fewer than two runs')
    return { server, client, one, two }
  }
  const lineage = async ({ log }: Serving) => (await log.runs('chat-1')).map(({ afterRunId }) => afterRunId)

  it('regenerates the answer to the last message, as a branch beside the first answer', async () => {
    const { server, client, one } = await twoTurns()
    await client.chat.regenerate()
    expect(answersOf(client)).toEqual(['You said first, after 0.', 'You said second, after 2.'])
    expect(await lineage(server)).toEqual([undefined, one.id, one.id])
    expect(client.chat.messages.at(-1)?.id).toBe((await server.log.runs('chat-1')).at(-1)?.id)
  })

  it('regenerates the answer to an earlier message, and continues from there', async () => {
    const { server, client, one } = await twoTurns()
    await client.chat.regenerate({ messageId: one.id })
    expect(answersOf(client)).toEqual(['You said first, after 0.'])
    await client.chat.sendMessage({ text: 'third' })
    expect(answersOf(client)).toEqual(['You said first, after 0.', 'You said third, after 2.'])
    const [, , again] = await server.log.runs('chat-1')
    expect(await lineage(server)).toEqual([undefined, one.id, undefined, again?.id])
  })

  it('sends the files of a message again when it is regenerated or edited', async () => {
    const reader = scripted('reader', async function* ({ input }) {
      yield text(`${input.text}: ${input.files?.map(({ filename, mediaType }) => `${filename} ${mediaType}`).join()}`)
      yield done
    })
    const server = await startServer({ agents: [reader] })
    const client = createChatClient(server, 'chat-1')
    const url = 'data:text/plain;base64,YWJj'
    const file = { type: 'file' as const, mediaType: 'text/plain', filename: 'a.txt', url }
    await client.chat.sendMessage({ text: 'read', files: [file] })
    await client.chat.regenerate()
    expect(answersOf(client)).toEqual(['read: a.txt text/plain'])
    const messageId = client.chat.messages[0]?.id ?? ''
    await client.chat.sendMessage({ text: 'again', files: [{ ...file, filename: 'b.txt' }], messageId })
    expect(answersOf(client)).toEqual(['again: b.txt text/plain'])
    expect(await server.log.runs('chat-1')).toHaveLength(3)
  })

  it.each([
    ['first', 0, ['You said edited, after 0.'], 'none'],
    ['second', 2, ['You said first, after 0.', 'You said edited, after 2.'], 'first'],
  ] as const)('edits the %s message: what came behind it is another branch', async (_which, index, answers, after) => {
    const { server, client, one } = await twoTurns()
    const messageId = client.chat.messages[index]?.id ?? ''
    await client.chat.sendMessage({ text: 'edited', messageId })
    expect(answersOf(client)).toEqual(answers)
    expect((await lineage(server)).at(-1)).toBe(after === 'none' ? undefined : one.id)
    expect(client.chat.messages.filter(({ role }) => role === 'user').at(-1)?.id).toBe(messageId)
  })
})

describe('stopping and coming back', () => {
  it('the run continues when the client stops reading, and is complete when it comes back', async () => {
    const { gate, agent } = gated()
    const server = await startServer({ agents: [agent] })
    const client = createChatClient(server, 'chat-1')
    const sending = client.chat.sendMessage({ text: 'go' })
    await isSaid(client, 'one')
    await client.chat.stop()
    await sending
    const [run] = await server.log.runs('chat-1')
    expect([client.chat.status, run?.state]).toEqual(['ready', 'live'])
    const resuming = client.chat.resumeStream()
    await until(() => client.statuses.length === 2)
    gate.open()
    await resuming
    expect(answersOf(client)).toEqual(['one two'])
    expect(client.chat.messages).toHaveLength(2)
    expect((await server.log.run(run?.id ?? ''))?.outcome).toBe('success')
  })

  it('stopping a run ends the responses of all clients, with the text so far', async () => {
    const { agent } = gated()
    const server = await startServer({ agents: [agent] })
    const [first, second] = [createChatClient(server, 'chat-1'), createChatClient(server, 'chat-1')]
    const sending = first.chat.sendMessage({ text: 'go' })
    await isSaid(first, 'one')
    const watching = second.chat.resumeStream()
    await isSaid(second, 'one')
    const [{ id = '' } = {}] = await server.log.runs('chat-1')
    const stopped = await server.send('POST', `/api/runs/${id}/stop`, {})
    expect(await stopped.json()).toEqual({ runId: id, stopped: true })
    await Promise.all([sending, watching])
    for (const { chat } of [first, second]) {
      expect([chat.status, chat.error]).toEqual(['ready', undefined])
      expect(chat.messages.at(-1)?.metadata).toMatchObject({ aborted: true, outcome: 'cancelled' })
    }
    expect(answersOf(second)).toEqual(answersOf(first))
    expect(await eventTypes(server, id)).toContain('control')
    await second.chat.resumeStream()
    expect(second.statuses).toEqual([200, 204])
  })

  it('two clients that connect at different times end with the same message', async () => {
    const { gate, agent } = gated()
    const server = await startServer({ agents: [agent] })
    const first = createChatClient(server, 'chat-1')
    const sending = first.chat.sendMessage({ text: 'go' })
    await isSaid(first, 'one')
    const [second, third] = [createChatClient(server, 'chat-1'), createChatClient(server, 'chat-1')]
    const watching = second.chat.resumeStream()
    await isSaid(second, 'one')
    const late = third.chat.resumeStream()
    await until(() => third.statuses.length === 1)
    gate.open()
    await Promise.all([sending, watching, late])
    expect(third.chat.messages).toEqual(second.chat.messages)
    expect(first.chat.messages.slice(1)).toEqual(second.chat.messages)
  })
})

describe('answering', () => {
  /** Sends the answer that it got. */
  const listening = scripted('listening', async function* (_request, host) {
    yield { type: 'tool_use', data: { id: 'c1', name: 'repair', input: {} } }
    const answer = await host.ask({ callId: 'c1', message: 'May I?', request: { part: 'wheel' } })
    yield result('c1', JSON.stringify(answer))
    yield text('All done.')
    yield done
  })

  it.each([
    [true, undefined, { state: 'approved' }],
    [true, 'but slowly', { state: 'approved', message: 'but slowly' }],
    [false, undefined, { state: 'denied' }],
    [false, 'too late', { state: 'denied', message: 'too late' }],
  ])('gives the agent the answer %s, and its reason %s', async (approved, reason, answer) => {
    const server = await startServer({ agents: [listening] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'repair it' })
    const [asked] = partsOf(client, 'assistant').flat()
    expect(asked).toMatchObject({ approval: { requestReason: 'May I?' } })
    const id = openQuestion(client)
    await client.chat.addToolApprovalResponse({ id, approved, ...(reason !== undefined && { reason }) })
    await isSaid(client, 'All done.')
    await ready(client)
    const [part] = partsOf(client, 'assistant').flat()
    expect(part).toMatchObject({ approval: { id, approved } })
    expect(part?.type === 'dynamic-tool' && JSON.parse(String(part.output))).toEqual(answer)
    expect(client.chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('an answer that is sent twice counts once and gets the same response', async () => {
    const server = await startServer({ agents: [asking] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'repair it' })
    const [question, message] = client.chat.messages as [UIMessage, UIMessage]
    const parts = message.parts.map((part) =>
      part.type === 'dynamic-tool' && part.state === 'approval-requested'
        ? { ...part, state: 'approval-responded', approval: { ...part.approval, approved: true } }
        : part,
    )
    const body = { id: 'chat-1', messages: [question, { ...message, parts }], trigger: 'submit-message' }
    const post = async () => (await server.send('POST', '/api/chat', body)).text()
    const [one, two] = await Promise.all([post(), post()])
    expect(two).toBe(one)
    expect(await post()).toBe(one)
    expect(one).toContain('Before c2.')
    const types = await eventTypes(server, message.id)
    expect(types.filter((type) => type === 'approval')).toHaveLength(3)
  })

  it('a second client sees the answer of the first when it comes back, and may answer the next question', async () => {
    const server = await startServer({ agents: [asking] })
    const [first, second] = [createChatClient(server, 'chat-1'), createChatClient(server, 'chat-1')]
    await first.chat.sendMessage({ text: 'repair it' })
    await second.chat.resumeStream()
    await first.chat.addToolApprovalResponse({ id: openQuestion(first), approved: true })
    await isSaid(first, 'Before c2.')
    await ready(first)
    await second.chat.resumeStream()
    expect(partsOf(second, 'assistant')).toEqual(partsOf(first, 'assistant'))
    await second.chat.addToolApprovalResponse({ id: openQuestion(second), approved: false })
    await isSaid(second, 'All done.')
    await ready(second)
    expect(partsOf(second, 'assistant').flat()).toMatchObject([
      { type: 'text' },
      { toolCallId: 'c1', output: 'it is approved' },
      { type: 'text' },
      { toolCallId: 'c2', output: 'it is denied' },
      { type: 'text', text: 'All done.' },
    ])
  })
})
