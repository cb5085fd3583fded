import { readFileSync } from 'node:fs'
import { HttpAgent, type Message } from '@ag-ui/client'
import type { Entry } from '@millrace/core/entry'
import { wires } from '@millrace/core/wire'
import type { Chunk } from '@millrace/core/wire/wire'
import { comparable, contentOf } from '@millrace/testkit/content'
import { describe, expect, it } from 'vitest'
import { aiSdkContent } from '../../../proofs/wires/facts/ai-sdk.ts'
import { agUiContentOf } from '../../../proofs/wires/readers/ag-ui.ts'
import { readAiSdk } from '../../../proofs/wires/readers/ai-sdk.ts'
import { type ChatClient, createChatClient, partsOf } from './chat-client.ts'
import { framesOf } from './frames.ts'
import { asking } from './scripted-agents.ts'
import { ingested, type Serving, startServer, until } from './serving.ts'

const THREAD = 'thread-1'
const RUN = 'run-1'

/** AG-UI's client, and the calls that it has received. */
function createAgUiClient({ url, token }: Serving) {
  const headers = { authorization: `Bearer ${token}` }
  const agent = new HttpAgent({ url: `${url}/api/ag-ui/asking`, headers, threadId: THREAD })
  const question: Message = { id: 'u1', role: 'user', content: 'repair it' }
  agent.addMessage(question)
  const calls: string[] = []
  agent.subscribe({ onToolCallStartEvent: ({ event }) => void calls.push(event.toolCallId) })
  return {
    agent,
    /** Starts a run, or reads an existing one from its beginning. */
    read: (runId: string) => agent.runAgent({ runId }),
    /** Answers all open questions. */
    answer: (approved: boolean) =>
      agent.runAgent({
        resume: agent.pendingInterrupts.map(({ id: interruptId }) => ({
          interruptId,
          status: 'resolved' as const,
          payload: { approved },
        })),
      }),
    content: () => {
      const answer = agent.messages.filter(({ role }) => role !== 'user')
      return agUiContentOf(answer, calls)
    },
  }
}

function openQuestion(client: ChatClient): string | undefined {
  const part = partsOf(client, 'assistant').flat().at(-1)
  return part?.type === 'dynamic-tool' && part.state === 'approval-requested' ? part.approval.id : undefined
}

async function answerInChat(client: ChatClient, approved: boolean): Promise<void> {
  await client.chat.addToolApprovalResponse({ id: openQuestion(client) ?? '', approved })
  await until(() => client.chat.status === 'ready' && partsOf(client, 'assistant').flat().at(-1)?.type !== undefined)
}

async function entriesIn({ log }: Serving, runId: string): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const entries of log.read(runId, { after: 0, live: false })) all.push(...entries)
  return all
}

/** Both clients, and later ones on either wire, have the content of the fold. */
async function expectSame(
  server: Serving,
  runId: string,
  client: ChatClient,
  agUi: ReturnType<typeof createAgUiClient>,
) {
  const entries = await entriesIn(server, runId)
  const inChat = contentOf(entries, wires['ai-sdk'].losses)
  const [message] = client.chat.messages.filter(({ role }) => role === 'assistant')
  if (message === undefined) throw new Error('the chat has no assistant message')
  expect(comparable(aiSdkContent(message), inChat)).toEqual(inChat)
  const inAgUi = contentOf(entries, wires['ag-ui'].losses)
  expect(comparable(agUi.content(), inAgUi)).toEqual(inAgUi)
  expect(inChat.texts).toEqual(['Before c1.', 'Before c2.', 'All done.'])
  const late = createAgUiClient(server)
  await late.read(runId)
  expect(comparable(late.content(), inAgUi)).toEqual(inAgUi)
}

describe('a run in the mobox profile', () => {
  it('S0-26, S0-90: is streamed to its client, and resumes after any cursor with the same chunks', async () => {
    const server = await startServer()
    const lines = readFileSync(new URL('../../../fixtures/agent-lines/deepagents.jsonl', import.meta.url))
    const runId = await ingested(server, 'agent-lines', lines)
    const path = `/api/runs/${runId}/stream?wire=ai-sdk&profile=mobox`
    const frames = framesOf(await (await server.ask(path)).text())
    const chunks = frames.slice(0, -1).map(({ data }) => JSON.parse(data) as Chunk)
    const { id, parts } = await readAiSdk(chunks)
    const variants = parts.flatMap((part) => (part.type === 'reasoning' ? [part.providerMetadata?.mobox?.variant] : []))
    expect(id).toBe(runId)
    expect(new Set(variants)).toEqual(new Set(['processing', 'thinking']))
    for (const [index, { id: cursor }] of frames.slice(0, -1).entries()) {
      const rest = framesOf(await (await server.ask(`${path}&after=${cursor}`)).text())
      expect(rest).toEqual(frames.slice(index + 1))
    }
  })
})

/** A run that was started in a chat, waits at its first question, and is also read over AG-UI. */
async function askedInChat() {
  const server = await startServer({ agents: [asking] })
  const client = createChatClient(server, THREAD)
  await client.chat.sendMessage({ text: 'repair it' })
  const [{ id: runId = '' } = {}] = await server.log.runs(THREAD)
  const agUi = createAgUiClient(server)
  await agUi.read(runId)
  return { server, client, runId, agUi }
}

describe('one run on two wires', () => {
  it('asks in the chat and is answered over AG-UI, then the other way round', async () => {
    const { server, client, runId, agUi } = await askedInChat()
    expect(agUi.agent.pendingInterrupts.map(({ id }) => id)).toEqual([openQuestion(client)])
    await agUi.answer(true)
    await client.chat.resumeStream()
    expect(agUi.agent.pendingInterrupts.map(({ id }) => id)).toEqual([openQuestion(client)])
    await answerInChat(client, false)
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('All done.'))
    // The question was answered elsewhere: a repeated answer gets what followed and changes nothing.
    await agUi.answer(true)
    expect(agUi.agent.pendingInterrupts).toEqual([])
    expect(JSON.stringify(partsOf(client, 'assistant'))).toContain('it is denied')
    await expectSame(server, runId, client, agUi)
  })

  it('asks over AG-UI and is answered in the chat, then the other way round', async () => {
    const server = await startServer({ agents: [asking] })
    const agUi = createAgUiClient(server)
    await agUi.read(RUN)
    const client = createChatClient(server, THREAD)
    await client.chat.resumeStream()
    expect(agUi.agent.pendingInterrupts.map(({ id }) => id)).toEqual([openQuestion(client)])
    await answerInChat(client, true)
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('Before c2.'))
    await agUi.answer(false)
    expect(agUi.agent.pendingInterrupts.map(({ toolCallId }) => toolCallId)).toEqual([`${RUN}/c2`])
    await until(() => client.chat.status === 'ready')
    await agUi.answer(false)
    // The chat may repeat the answer: it gets what followed.
    await answerInChat(client, true)
    await until(() => JSON.stringify(partsOf(client, 'assistant')).includes('All done.'))
    const outputs = partsOf(client, 'assistant')
      .flat()
      .flatMap((part) => (part.type === 'dynamic-tool' ? [part.output] : []))
    expect(outputs).toEqual(['it is approved', 'it is denied'])
    await expectSame(server, RUN, client, agUi)
  })

  it('reports the answer and its reason on both wires', async () => {
    const server = await startServer({ agents: [asking] })
    const agUi = createAgUiClient(server)
    await agUi.read(RUN)
    const [{ id: interruptId = '' } = {}] = agUi.agent.pendingInterrupts
    const payload = { approved: false, reason: 'not now' }
    await agUi.agent.runAgent({ resume: [{ interruptId, status: 'resolved', payload }] })
    const client = createChatClient(server, THREAD)
    await client.chat.resumeStream()
    const tools = partsOf(client, 'assistant')
      .flat()
      .filter(({ type }) => type === 'dynamic-tool')
    expect(tools[0]).toMatchObject({ approval: { id: interruptId, approved: false, reason: 'not now' } })
    expect(tools[1]).toMatchObject({ toolCallId: 'c2', state: 'approval-requested' })
  })

  it('ends for all clients when one stops it', async () => {
    const { server, client, runId, agUi } = await askedInChat()
    await server.send('POST', `/api/runs/${runId}/stop`, { by: 'somebody' })
    await until(async () => (await server.log.run(runId))?.state === 'ended')
    await agUi.answer(true)
    expect(agUi.agent.pendingInterrupts).toEqual([])
    await client.chat.resumeStream()
    expect(client.statuses.at(-1)).toBe(204)
    const entries = await entriesIn(server, runId)
    expect(entries.at(-1)?.event).toMatchObject({ type: 'run-end', outcome: 'cancelled' })
    expect(JSON.stringify(entries)).not.toContain('it is approved')
  })
})
