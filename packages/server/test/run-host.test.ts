import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import type { AgentHost, AgentRequest, ApprovalAnswer } from '../src/run/agent.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { aborted, agentOf, bodyOf, bytesOf, createAgentRuns, eventsOf, isEnded, lineOf, until } from './run-parts.ts'
import { chunk, START } from './two-nodes.ts'

async function ended(act: (request: AgentRequest, host: AgentHost) => Promise<unknown>) {
  const agent = agentOf(async function* (request, host) {
    await act(request, host)
    yield* bodyOf(lineOf('done'))
  })
  const { log, runs } = await createAgentRuns(agent)
  await runs.start(START)
  await until(isEnded(log, 'r'))
  return eventsOf(log, 'r')
}

describe('events that an agent adds', () => {
  const forbidden: readonly StreamEvent[] = [
    { type: 'run-start', agent: 'other' },
    { type: 'run-end', outcome: 'success' },
    { type: 'control', action: 'stop', by: 'ada' },
    { type: 'approval', approvalId: 'a', state: 'approved' },
    { type: 'message-start', messageId: 'm', role: 'user' },
  ]

  it.each(forbidden)('are refused if only the server may add them: $type', async (event) => {
    let code: unknown
    const data: StreamEvent = { type: 'data', name: 'count', data: 1 }
    const events = await ended((_request, host) =>
      host.add([data, event]).catch((error: { code: unknown }) => {
        code = error.code
      }),
    )
    expect(code).toBe('not-for-agents')
    expect(events.some(({ type }) => type === 'data')).toBe(false)
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: 'success' })
  })

  it('are durable, and made by the server', async () => {
    const data: StreamEvent = { type: 'data', name: 'count', data: 1 }
    expect(await ended((_request, host) => host.add([data]))).toContainEqual(data)
  })

  it('may be none: nothing is waited for', async () => {
    expect((await ended((_request, host) => host.add([]))).at(-1)).toMatchObject({ outcome: 'success' })
  })
})

it('an agent that is stopped still hears the answer that came before, and of no other', async () => {
  const received: ApprovalAnswer[] = []
  const agent = agentOf(async function* ({ signal }, host) {
    yield chunk({ type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} })
    yield chunk({ type: 'tool-approval-request', approvalId: 'own', toolCallId: 'c' })
    await aborted(signal)
    received.push(await host.answer('own'), await host.answer('late'))
    yield bytesOf('')
  })
  const { log, runs } = await createAgentRuns({ ...agent, format: 'ai-sdk' })
  await runs.start(START)
  await until(async () => (await eventsOf(log, 'r')).some(({ type }) => type === 'approval'))
  expect(await answerApproval(runs, 'r', 'own', { state: 'approved' })).toBe('answered')
  await stopRun(runs, 'r')
  await until(isEnded(log, 'r'))
  expect(received).toEqual([{ state: 'approved' }, { state: 'expired' }])
})
