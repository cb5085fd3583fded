import { describe, expect, it } from 'vitest'
import type { Agent, ApprovalAnswer } from '../src/run/agent.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import {
  aborted,
  agentOf,
  bodyOf,
  brokenBody,
  bytesOf,
  createPipe,
  eventsOf,
  lineOf,
  refusalOf,
  textLine,
} from './run-parts.ts'
import { chunk, everyLog, expectOneEnd, has, openNodes, START, until } from './two-nodes.ts'

describe.each(everyLog)('two nodes over one %s log', (name) => {
  it('approve: the agent at the other node hears the answer, once', async () => {
    const received: ApprovalAnswer[] = []
    const asking = agentOf(async function* (_request, host) {
      received.push(await host.ask({ message: 'May I?' }))
      yield* bodyOf(lineOf('done'))
    })
    const { log, one, other, reports } = await openNodes(name, [asking])
    await one.start(START)
    await until(has(log, 'r', 'approval'))
    const answers = await Promise.all(
      [one, other, other].map((runs) => answerApproval(runs, 'r', 'approval-1', { state: 'approved' })),
    )
    expect(answers.toSorted()).toEqual(['answered', 'not-asked', 'not-asked'])
    await expectOneEnd(log, 'r', 'success')
    expect(received).toEqual([{ state: 'approved' }])
    expect(reports).toEqual([])
  })

  it('approve a question of the stream itself: the agent hears the answer, and may wait before it asks', async () => {
    const received: ApprovalAnswer[] = []
    const agent: Agent = {
      ...agentOf(async function* (_request, host) {
        const answer = host.answer('own')
        yield chunk({ type: 'start', messageId: 'm1' })
        yield chunk({ type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} })
        yield chunk({ type: 'tool-approval-request', approvalId: 'own', toolCallId: 'c' })
        received.push(await answer, await host.answer('own'))
        yield chunk({ type: 'tool-output-available', toolCallId: 'c', output: 'dug' })
        yield chunk({ type: 'finish' })
      }),
      format: 'ai-sdk',
    }
    const { log, one, other, reports } = await openNodes(name, [agent])
    await one.start(START)
    await until(has(log, 'r', 'approval'))
    expect(await answerApproval(other, 'r', 'own', { state: 'denied', message: 'Not here.' })).toBe('answered')
    await expectOneEnd(log, 'r', 'success')
    expect(received).toEqual(Array(2).fill({ state: 'denied', message: 'Not here.' }))
    expect(reports).toEqual([])
  })

  it('stop: the agent at the other node stops, and all its questions expire', async () => {
    const received: ApprovalAnswer[] = []
    const agent = agentOf(async function* ({ signal }, host) {
      void host.answer('never').then((answer) => received.push(answer))
      yield bytesOf(textLine('Working.'))
      await aborted(signal)
    })
    const { log, one, other } = await openNodes(name, [agent])
    await one.start(START)
    await until(has(log, 'r', 'block-delta'))
    expect(await stopRun(other, 'r', 'ada')).toBe(true)
    await expectOneEnd(log, 'r', 'cancelled')
    expect(await stopRun(other, 'r')).toBe(false)
    expect(await eventsOf(log, 'r')).toContainEqual({ type: 'control', action: 'stop', by: 'ada' })
    expect(received).toEqual([{ state: 'expired' }])
  })

  const producer = { format: 'agent-lines', runId: 'r', threadId: 't' }

  it('resume: a producer comes back to the other node, under the same attempt or a higher one', async () => {
    const { log, one, other } = await openNodes(name, [])
    await refusalOf(one.ingest(producer, brokenBody(textLine('One.'))))
    await refusalOf(other.ingest({ ...producer, line: 1 }, brokenBody(textLine('Two.'))))
    const pipe = createPipe()
    const cut = refusalOf(one.ingest({ ...producer, line: 2 }, pipe))
    pipe.write(textLine('Three.'))
    await until(async () => (await log.run('r'))?.rawRecords === 3)
    expect((await refusalOf(other.ingest({ ...producer, line: 3 }, bodyOf(lineOf('done'))))).code).toBe('run-busy')
    const ended = await other.ingest({ ...producer, attempt: 2, line: 3 }, bodyOf(lineOf('done')))
    expect(ended).toMatchObject({ rawRecords: 4, outcome: 'success' })
    expect((await cut).code).toBe('stale-attempt')
    await expectOneEnd(log, 'r', 'success')
  })

  it('stop and answer a run whose producer is lost: any node does it', async () => {
    const { log, one, other, reports } = await openNodes(name, [])
    await refusalOf(one.ingest(producer, brokenBody(textLine('One.'))))
    expect((await log.run('r'))?.state).toBe('waiting')
    const results = await Promise.all([one, other, one, other].map((runs) => stopRun(runs, 'r')))
    expect(results.filter((stopped) => stopped === true)).toHaveLength(1)
    await expectOneEnd(log, 'r', 'cancelled')
    expect(reports).toEqual([])
  })

  it('a node that dies: the other ends its agents’ runs, and waits for its producers', async () => {
    const agent = agentOf(async function* ({ signal }) {
      yield bytesOf(textLine('Working.'))
      await aborted(signal)
    })
    const { log, one, other } = await openNodes(name, [agent], 50)
    await one.start(START)
    await until(has(log, 'r', 'block-delta'))
    const pipe = createPipe()
    const fed = one.ingest({ ...producer, runId: 'fed' }, pipe).catch(() => undefined)
    pipe.write(textLine('One.'))
    await until(async () => (await log.run('fed'))?.rawRecords === 1)
    await log.leave((await log.run('r'))?.owner ?? '')
    await other.recover()
    await expectOneEnd(log, 'r', 'interrupted')
    await expectOneEnd(log, 'fed', 'interrupted')
    pipe.write(textLine('Too late.'))
    await fed
    expect((await log.run('fed'))?.rawRecords).toBe(1)
  })

  it('the output of a client’s tool: the next run takes it at the other node, once', async () => {
    const outputs: unknown[] = []
    const agent: Agent = {
      ...agentOf(async function* ({ input }) {
        yield chunk({ type: 'start', messageId: 'm1' })
        if (input.toolOutputs === undefined) {
          yield chunk({ type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: {} })
        } else outputs.push(...input.toolOutputs)
        yield chunk({ type: 'finish' })
      }),
      format: 'ai-sdk',
    }
    const { log, one, other } = await openNodes(name, [agent])
    await one.start(START)
    await expectOneEnd(log, 'r', 'awaiting-input')
    const input = { text: '', toolOutputs: [{ callId: 'c', output: 'fog' }] }
    const next = { ...START, runId: 'next', input, idempotencyKey: 'outputs' }
    const runs = await Promise.all([one.start({ ...next, runId: 'again' }), other.start(next)])
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1)
    await expectOneEnd(log, runs[0]?.id ?? '', 'success')
    expect(outputs).toEqual([{ callId: 'c', output: 'fog' }])
  })
})
