import { describe, expect, it } from 'vitest'
import type { ApprovalAnswer } from '../src/run/agent.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import {
  agentOf,
  bytesOf,
  createAgentRuns,
  createPipe,
  eventsOf,
  isEnded,
  lineOf,
  obedientAgent,
  type openLog,
  refusalOf,
  textLine,
  until,
} from './run-parts.ts'

const start = { threadId: 'thr', agent: 'tester', input: { text: 'Go' }, runId: 'r' }
describe('stopping an agent', () => {
  it('is logged, signals the agent, keeps what it still sends, and ends the run as cancelled', async () => {
    const { log, runs, reports } = await createAgentRuns(obedientAgent)
    await runs.start(start)
    await until(async () => ((await log.run('r'))?.rawRecords ?? 0) > 0)
    expect(await stopRun(runs, 'r', 'ada')).toBe(true)
    await until(isEnded(log, 'r'))
    const events = await eventsOf(log, 'r')
    const stop = events.findIndex(({ type }) => type === 'control')
    expect(events[stop]).toEqual({ type: 'control', action: 'stop', by: 'ada' })
    expect(events.slice(stop)).toContainEqual(expect.objectContaining({ type: 'block-delta', text: 'Bye.' }))
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
    expect(reports).toEqual([])
  })

  it('ends the run as cancelled even if the agent throws because of it', async () => {
    const { log, runs } = await createAgentRuns(
      agentOf(async function* ({ signal }) {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }),
    )
    await runs.start(start)
    await stopRun(runs, 'r')
    await until(isEnded(log, 'r'))
    expect((await eventsOf(log, 'r')).at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
  })

  it('waits 5 s for an agent that ignores it, then ends the run and drops later output', async () => {
    const pipe = createPipe()
    const { log, runs, sleeper } = await createAgentRuns(agentOf(() => pipe))
    await runs.start(start)
    pipe.write(textLine('Deaf. '))
    await stopRun(runs, 'r')
    pipe.write(textLine('Still here. '))
    await until(async () => (await log.run('r'))?.rawRecords === 2)
    expect((await log.run('r'))?.state).toBe('live')
    expect(sleeper.slept).toEqual([5000])
    sleeper.wakeAll()
    await until(isEnded(log, 'r'))
    const before = await eventsOf(log, 'r')
    pipe.write(textLine('Late.'))
    pipe.end()
    await runs.close()
    expect(await eventsOf(log, 'r')).toEqual(before)
    expect(before.at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
    expect(pipe.isAbandoned()).toBe(true)
  })

  it('is logged once for repeated requests, and has no effect after the end', async () => {
    const { log, runs } = await createAgentRuns(obedientAgent)
    await runs.start(start)
    expect(await Promise.all([stopRun(runs, 'r'), stopRun(runs, 'r')])).toEqual([true, true])
    await until(isEnded(log, 'r'))
    const before = await eventsOf(log, 'r')
    expect(before.filter(({ type }) => type === 'control')).toHaveLength(1)
    expect(await stopRun(runs, 'r')).toBe(false)
    expect(await eventsOf(log, 'r')).toEqual(before)
  })

  it('is refused for an unknown run', async () => {
    const { runs } = await createAgentRuns(obedientAgent)
    expect((await refusalOf(stopRun(runs, 'nobody'))).code).toBe('unknown-run')
  })
})

describe('an agent that asks', () => {
  const asking = (answers: ApprovalAnswer[]) =>
    agentOf(async function* (_request, host) {
      yield bytesOf(lineOf('tool_use', { id: 'call_1', name: 'dig', input: {} }))
      answers.push(await host.ask({ callId: 'call_1', message: 'May I dig?' }))
      yield bytesOf(lineOf('tool_result', { tool_use_id: 'call_1', content: 'dug' }))
      answers.push(await host.ask({ message: 'And now?', request: { choices: ['rest'] } }))
      yield bytesOf(lineOf('done'))
    })

  const isAsked = (log: Awaited<ReturnType<typeof openLog>>, approvalId: string) => async () =>
    (await eventsOf(log, 'r')).some((event) => event.type === 'approval' && event.approvalId === approvalId)

  it('asks after all that it has sent before, and continues once the answer is logged', async () => {
    const answers: ApprovalAnswer[] = []
    const { log, runs } = await createAgentRuns(asking(answers))
    await runs.start(start)
    await until(isAsked(log, 'approval-1'))
    expect((await eventsOf(log, 'r')).slice(-2)).toMatchObject([
      { type: 'tool-input', callId: 'call_1' },
      { type: 'approval', approvalId: 'approval-1', callId: 'call_1', state: 'requested', message: 'May I dig?' },
    ])
    expect(answers).toEqual([])
    expect(await answerApproval(runs, 'r', 'approval-1', { state: 'approved' })).toBe('answered')
    await until(isAsked(log, 'approval-2'))
    expect(await answerApproval(runs, 'r', 'approval-2', { state: 'answered', answer: 'rest' })).toBe('answered')
    await until(isEnded(log, 'r'))
    expect(answers).toEqual([{ state: 'approved' }, { state: 'answered', answer: 'rest' }])
    expect((await eventsOf(log, 'r')).filter(({ type }) => type === 'approval')).toMatchObject([
      { state: 'requested' },
      { state: 'approved', callId: 'call_1' },
      { state: 'requested', request: { choices: ['rest'] } },
      { state: 'answered', answer: 'rest' },
    ])
  })

  it('gets each answer once, and only while it waits', async () => {
    const answers: ApprovalAnswer[] = []
    const { log, runs } = await createAgentRuns(asking(answers))
    await runs.start(start)
    await until(isAsked(log, 'approval-1'))
    expect(await answerApproval(runs, 'r', 'approval-9', { state: 'approved' })).toBe('not-asked')
    const both = [
      answerApproval(runs, 'r', 'approval-1', { state: 'denied' }),
      answerApproval(runs, 'r', 'approval-1', { state: 'approved' }),
    ]
    expect(await Promise.all(both)).toEqual(['answered', 'not-asked'])
    await until(isAsked(log, 'approval-2'))
    await stopRun(runs, 'r')
    await until(isEnded(log, 'r'))
    expect(await answerApproval(runs, 'r', 'approval-2', { state: 'approved' })).toBe('not-asked')
    expect(answers[0]).toEqual({ state: 'denied' })
  })

  it('gets “expired” for its question when the run is stopped, and cannot ask again', async () => {
    const answers: ApprovalAnswer[] = []
    const { log, runs } = await createAgentRuns(asking(answers))
    await runs.start(start)
    await until(isAsked(log, 'approval-1'))
    await stopRun(runs, 'r')
    await until(isEnded(log, 'r'))
    expect(answers).toEqual([{ state: 'expired' }, { state: 'expired' }])
    const events = await eventsOf(log, 'r')
    expect(events.filter(({ type }) => type === 'approval' || type === 'tool-output')).toMatchObject([
      { state: 'requested' },
      { state: 'expired', callId: 'call_1' },
      { status: 'ok' },
    ])
    expect(events.at(-1)).toMatchObject({ outcome: 'cancelled' })
  })
})
