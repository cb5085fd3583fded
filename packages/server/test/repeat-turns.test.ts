import { HttpAgent } from '@ag-ui/client'
import type { StreamEvent } from '@millrace/core/events'
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai'
import { describe, expect, it } from 'vitest'
import { runsOfMessage } from '../src/api/chat/message-runs.ts'
import { pausesOf } from '../src/api/pauses.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import type { AgentRequest } from '../src/run/agent.ts'
import { createChatClient, partsOf } from './chat-client.ts'
import { talking } from './scripted-agents.ts'
import { scripted, startServer, until } from './serving.ts'

/** Leaves a call to the client until it has got the output 3, and says each output. The id of the call is the agent's choice. */
function wondering(idOf: (nth: number) => string) {
  const requests: AgentRequest[] = []
  const agent = scripted(
    'wondering',
    async function* (request) {
      requests.push(request)
      const [given] = request.input.toolOutputs ?? []
      const nth = given === undefined ? 0 : Number(given.output)
      yield { type: 'start' }
      if (given !== undefined) {
        yield { type: 'text-start', id: 't1' }
        yield { type: 'text-delta', id: 't1', delta: `It is ${nth}.` }
        yield { type: 'text-end', id: 't1' }
      }
      if (nth < 3 && nth >= 0) {
        const providerMetadata = { millrace: { runBy: 'client' } }
        const call = { toolCallId: idOf(nth + 1), toolName: 'count', dynamic: true, providerMetadata }
        yield { type: 'start-step' }
        yield { type: 'tool-input-start', ...call }
        yield { type: 'tool-input-available', ...call, input: { nth } }
        yield { type: 'finish-step' }
      }
      yield { type: 'finish', finishReason: nth < 3 && nth >= 0 ? 'tool-calls' : 'stop' }
    },
    'ai-sdk',
  )
  return { agent, requests }
}

describe('tools that the client runs, one after the other', () => {
  it('continue one message of a chat through all their runs, and a client that comes back sees all of it', async () => {
    const { agent, requests } = wondering((nth) => `c${nth}`)
    const server = await startServer({ agents: [agent] })
    const client = createChatClient(server, 'chat', {}, lastAssistantMessageIsCompleteWithToolCalls)
    client.onToolCall(({ toolCall: { toolName: tool, toolCallId } }) => {
      void client.chat.addToolOutput({ tool, toolCallId, output: Number(toolCallId.slice(1)) })
    })
    await client.chat.sendMessage({ text: 'count' })
    await until(() => requests.length === 4 && client.chat.status === 'ready')
    const [parts = [], ...others] = partsOf(client, 'assistant')
    expect(others).toEqual([])
    const drawn = parts.filter(({ type }) => type !== 'step-start')
    expect(drawn).toMatchObject([
      { toolCallId: 'c1', output: 1 },
      { text: 'It is 1.' },
      { toolCallId: 'c2', output: 2 },
      { text: 'It is 2.' },
      { toolCallId: 'c3', output: 3 },
      { text: 'It is 3.' },
    ])
    const [messageId = ''] = client.chat.messages.filter(({ role }) => role === 'assistant').map(({ id }) => id)
    const runs = await runsOfMessage(server.log, 'chat', messageId)
    expect(runs.map(({ run }) => run.id)).toEqual((await server.log.runs('chat')).map(({ id }) => id))
  })

  it('get each output once over AG-UI, also if every question leads to a call of the same id', async () => {
    const { agent, requests } = wondering(() => 'c1')
    const server = await startServer({ agents: [agent] })
    const client = new HttpAgent({
      url: `${server.url}/api/ag-ui/wondering`,
      headers: { authorization: `Bearer ${server.token}` },
    })
    for (let nth = 3; nth <= 5; nth++) {
      const pending: string[] = []
      client.addMessage({ id: `u${nth}`, role: 'user', content: 'count' })
      await client.runAgent(
        {},
        {
          onRunFinishedEvent: (params) => {
            if (params.outcome === 'success') pending.push(...params.pendingToolCallIds)
          },
        },
      )
      expect(pending).toHaveLength(1)
      client.addMessage({ id: `r${nth}`, role: 'tool', toolCallId: pending[0] ?? '', content: String(nth) })
      await client.runAgent()
      expect(client.messages.at(-1)).toMatchObject({ role: 'assistant', content: `It is ${nth}.` })
    }
    const given = requests.map(({ input }) => (input.toolOutputs ?? []).map(({ output }) => Number(output)))
    expect(given).toEqual([[], [3], [], [4], [], [5]])
  })
})

async function openLog(
  runs: readonly (readonly [id: string, afterRunId?: string, messageId?: string])[],
): Promise<Log> {
  const log = await memory.open({ folder: '' })
  for (const [id, afterRunId, messageId] of runs) {
    const run = { id, threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 }
    await log.createRun({ ...run, ...(afterRunId !== undefined && { afterRunId }) })
    const meta = messageId === undefined ? {} : { meta: { millrace: { messageId } } }
    await append(log, id, [{ type: 'run-start', ...meta }])
  }
  return log
}

async function append(log: Log, runId: string, events: readonly StreamEvent[]): Promise<void> {
  const { seq = 0 } = (await log.run(runId)) ?? {}
  await log.append(runId, { epoch: 0, afterSeq: seq }, { inputs: [], events })
}

describe('a chat', () => {
  it('goes on from its last answer, question after question', async () => {
    const server = await startServer({ agents: [talking] })
    const { chat } = createChatClient(server, 'chat')
    for (let nth = 0; nth < 4; nth++) await chat.sendMessage({ text: `question ${nth}` })
    const runs = await server.log.runs('chat')
    expect(runs.map(({ afterRunId }) => afterRunId)).toEqual([undefined, ...runs.slice(0, -1).map(({ id }) => id)])
    expect(chat.messages.filter(({ role }) => role === 'assistant').map(({ id }) => id)).toEqual(
      runs.map(({ id }) => id),
    )
  })
})

describe('the runs of a message', () => {
  it('are its own, however many there are, and of two that continue the same one the newest', async () => {
    const log = await openLog([
      ['a'],
      ['b', 'a', 'a'],
      ['c', 'b', 'a'],
      ['other', 'c'],
      ['b2', 'a', 'a'],
      ['c2', 'b2', 'a'],
      ['d2', 'c2', 'a'],
      ['another', 'd2'],
    ])
    const idsOf = async (messageId: string) => (await runsOfMessage(log, 't', messageId)).map(({ run }) => run.id)
    expect(await idsOf('a')).toEqual(['a', 'b2', 'c2', 'd2'])
    expect(await idsOf('other')).toEqual(['other'])
    expect(await idsOf('nothing')).toEqual([])
  })
})

describe('the pauses of a run', () => {
  const call: StreamEvent[] = [
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    { type: 'tool-start', messageId: 'm', callId: 'c', name: 'repair', runBy: 'agent' },
    { type: 'tool-input', callId: 'c', input: {} },
  ]
  const ask: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'requested' }
  const answer: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'approved' }

  it('are open again when the same approval is asked again, as often as it is asked', async () => {
    const log = await openLog([['r']])
    await append(log, 'r', call)
    for (let time = 0; time < 3; time++) {
      await append(log, 'r', [ask])
      const run = await log.run('r')
      if (run === undefined) throw new Error('the run is gone')
      const asked = await pausesOf(log, { run }, { wire: 'ai-sdk' })
      expect(asked.current?.seq).toBe(run.seq)
      expect(asked.resumptionOf(new Set(['p']))).toMatchObject({ after: { seq: run.seq }, first: run.seq + 1 })
      await append(log, 'r', [answer])
      const answered = await pausesOf(log, { run }, { wire: 'ai-sdk' })
      expect(answered.current).toBeUndefined()
      expect(answered.resumptionOf(new Set(['p']))).toMatchObject({ after: { seq: run.seq }, first: run.seq + 1 })
    }
  })
})
