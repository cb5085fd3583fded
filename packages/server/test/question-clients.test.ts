import { setTimeout } from 'node:timers/promises'
import { HttpAgent } from '@ag-ui/client'
import { HttpAgent as HttpAgent57 } from 'ag-ui-0.0.57'
import { HttpAgent as HttpAgent58 } from 'ag-ui-0.0.58'
import { HttpAgent as HttpAgent59 } from 'ag-ui-0.0.59'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../src/run/agent.ts'
import { createChatClient, partsOf } from './chat-client.ts'
import { framesOf } from './frames.ts'
import { askingTwice, call, done, result } from './scripted-agents.ts'
import { type Serving, scripted, startServer, text, until } from './serving.ts'

/** Speaks, and asks about no call while its text is open. */
const askingFreely = scripted('asking-freely', async function* (_request, host) {
  yield text('One moment.')
  const answer = await host.ask({ message: 'Shall I go on?', request: { urgent: true } })
  const reason = 'message' in answer && answer.message !== undefined ? `: ${answer.message}` : ''
  yield text(`It is ${answer.state}${reason}.`)
  yield done
})

/** Asks about the second call once the first is answered, while the first has no result yet. */
const askingInTurn = scripted('asking-in-turn', async function* (_request, host) {
  yield call('c1')
  const first = await host.ask({ callId: 'c1', message: 'The first?' })
  yield call('c2')
  const second = await host.ask({ callId: 'c2', message: 'The second?' })
  yield result('c1', first.state)
  yield result('c2', second.state)
  yield done
})

/** Its own stream asks about two calls at once. */
const streamAsking: Agent = {
  ...scripted('stream-asking', async function* () {}, 'ai-sdk'),
  async *run(_request, host) {
    const calls = ['c1', 'c2'].map((toolCallId) => ({
      type: 'tool-input-available',
      toolCallId,
      toolName: 'repair',
      input: {},
      dynamic: true,
      providerExecuted: true,
    }))
    const questions = ['c1', 'c2'].map((toolCallId) => ({
      type: 'tool-approval-request',
      toolCallId,
      approvalId: `about-${toolCallId}`,
    }))
    // The response is there before the questions are.
    await setTimeout(50)
    const lines = [{ type: 'start' }, ...calls, ...questions].map((chunk) => JSON.stringify(chunk))
    yield new TextEncoder().encode(`${lines.join('\n')}\n`)
    await Promise.all(questions.map(({ approvalId }) => host.answer(approvalId)))
    yield new TextEncoder().encode(`${JSON.stringify({ type: 'finish' })}\n`)
  },
}

const agents = [askingFreely, askingInTurn, askingTwice, streamAsking]

const VERSIONS = { '1.0.0': HttpAgent, '0.0.59': HttpAgent59, '0.0.58': HttpAgent58, '0.0.57': HttpAgent57 } as const

type Version = keyof typeof VERSIONS
type Outcome = { readonly interrupts?: readonly { readonly id: string; readonly reason: string }[] } | undefined

/** An agent of one version, and the questions that its last run has ended with. */
function agUiClient({ url, token }: Serving, version: Version, name: string) {
  const Agent = VERSIONS[version] as typeof HttpAgent
  const headers = { authorization: `Bearer ${token}` }
  const agent = new Agent({ url: `${url}/api/ag-ui/${name}`, headers, threadId: 'thread-1' })
  agent.addMessage({ id: 'u1', role: 'user', content: 'go' })
  let questions: NonNullable<NonNullable<Outcome>['interrupts']> = []
  let ends = 0
  return {
    questions: () => questions,
    /** How many ends of runs it has read. */
    ends: () => ends,
    texts: () =>
      agent.messages.flatMap(({ role, content }) => (typeof content === 'string' ? [`${role}: ${content}`] : [])),
    run: (input: Parameters<HttpAgent['runAgent']>[0]) =>
      agent.runAgent(input, {
        onRunFinishedEvent({ event }) {
          questions = (event.outcome as Outcome)?.interrupts ?? []
          ends++
        },
      }),
    answer(approved: boolean) {
      const answers = questions.map(({ id: interruptId }) => ({
        interruptId,
        status: 'resolved' as const,
        payload: { approved },
      }))
      return this.run({ resume: answers })
    },
  }
}

describe.each(Object.keys(VERSIONS) as Version[])('a client of AG-UI, version %s', (version) => {
  it('gets two questions at once, answers both, and reads to the end', async () => {
    const client = agUiClient(await startServer({ agents }), version, 'asking-twice')
    await client.run({ runId: 'run-1' })
    expect(client.questions().map(({ reason }) => reason)).toEqual(['approval', 'approval'])
    // Some programs around this client read only the first end in a response.
    expect(client.ends()).toBe(1)
    await client.answer(true)
    expect(client.questions()).toEqual([])
    expect(client.texts()).toEqual(['user: go', 'tool: approved', 'tool: approved', 'assistant: All done.'])
  })

  it('gets two questions of a stream at once', async () => {
    const client = agUiClient(await startServer({ agents }), version, 'stream-asking')
    await client.run({ runId: 'run-1' })
    expect(client.questions().map(({ id }) => id)).toEqual(['about-c1', 'about-c2'])
    await client.answer(true)
    expect(client.questions()).toEqual([])
  })

  it('gets a question behind open text at once, and its answer reaches the agent', async () => {
    const client = agUiClient(await startServer({ agents }), version, 'asking-freely')
    await client.run({ runId: 'run-1' })
    expect(client.questions()).toHaveLength(1)
    await client.answer(false)
    expect(client.texts()).toEqual(['user: go', 'assistant: One moment.', 'assistant: It is denied.'])
  })
})

it('a client of AG-UI that answers one of two questions gets a response that ends with the other', async () => {
  const server = await startServer({ agents })
  const first = agUiClient(server, '1.0.0', 'asking-twice')
  await first.run({ runId: 'run-1' })
  const [one, two] = first.questions().map(({ id }) => id)
  const resume = [{ interruptId: one, status: 'resolved' }]
  const input = { threadId: 'thread-1', runId: 'run-2', protocolVersion: '1.0', messages: [], resume }
  const response = await server.send('POST', '/api/ag-ui/asking-twice', input)
  const chunks = framesOf(await response.text()).flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data)]))
  expect(chunks.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { interrupts: [{ id: two }] } })
})

describe("the AI SDK's chat", () => {
  const openIds = (client: ReturnType<typeof createChatClient>) =>
    partsOf(client, 'assistant')
      .flat()
      .flatMap((part) =>
        part.type === 'dynamic-tool' && part.state === 'approval-requested' ? [part.approval.id] : [],
      )

  it('shows two questions at once, and sends when both are answered, one of them with no', async () => {
    const client = createChatClient(await startServer({ agents }), 'chat-1', { agent: 'asking-twice' })
    await client.chat.sendMessage({ text: 'go' })
    const [one = '', two = ''] = openIds(client)
    expect(openIds(client)).toHaveLength(2)
    await client.chat.addToolApprovalResponse({ id: one, approved: true })
    await client.chat.addToolApprovalResponse({ id: two, approved: false })
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('All done'))
    await until(() => client.chat.status === 'ready')
    expect(client.statuses).toEqual([200, 200])
    const tools = partsOf(client, 'assistant').flatMap((parts) => parts.filter(({ type }) => type === 'dynamic-tool'))
    expect(tools).toMatchObject([{ output: 'approved' }, { output: 'denied' }])
  })

  it('shows a question about no call behind open text, and its answer reaches the agent', async () => {
    const client = createChatClient(await startServer({ agents }), 'chat-1', { agent: 'asking-freely' })
    await client.chat.sendMessage({ text: 'go' })
    const [id = ''] = openIds(client)
    const input = { message: 'Shall I go on?', request: { urgent: true } }
    expect(partsOf(client, 'assistant').flat().at(-1)).toMatchObject({ toolName: 'question', input })
    await client.chat.addToolApprovalResponse({ id, approved: false, reason: 'Not today' })
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('It is denied: Not today.'))
    await until(() => client.chat.status === 'ready')
    expect(client.statuses).toEqual([200, 200])
    expect(client.chat.error).toBeUndefined()
  })

  it('is asked about a second call while the first, answered one has no result', async () => {
    const client = createChatClient(await startServer({ agents }), 'chat-1', { agent: 'asking-in-turn' })
    await client.chat.sendMessage({ text: 'go' })
    for (const approved of [true, false]) {
      await until(() => client.chat.status === 'ready' && openIds(client).length > 0)
      await client.chat.addToolApprovalResponse({ id: openIds(client)[0] ?? '', approved })
    }
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('"output":"denied"'))
    await until(() => client.chat.status === 'ready')
    expect(client.statuses).toEqual([200, 200, 200])
  })
})
