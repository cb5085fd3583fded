import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import type { Agent, ApprovalAnswer } from '../src/run/agent.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { type Recording, replayAgent, replayAgentOfRun } from '../src/run/replay-agent.ts'
import { createReports, createSleeper, eventsOf, isEnded, openLog, timeless, until } from './run-parts.ts'

const fixture = (path: string) => readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url))
const trams: Recording = {
  bytes: fixture('agent-lines/claude.jsonl'),
  framing: 'json-lines',
  format: 'agent-lines',
}

async function begun(agent: Agent, runId = 'r', given?: Log) {
  const log = given ?? (await openLog())
  const { report, reports } = createReports()
  const runs = createRuns({ log, agents: [agent], report, sleep: createSleeper().sleep })
  await runs.start({ threadId: 't', agent: agent.name, input: { text: 'Go' }, runId })
  return { log, runs, reports }
}

async function textsOf(log: Log, runId: string): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const inputs of log.inputs(runId))
    for (const input of inputs) if (input.by === 'producer') texts.push(input.text)
  return texts
}

const isAsking = (log: Log) => async () => (await eventsOf(log, 'r')).some(({ type }) => type === 'approval')

describe('an agent that replays a recording', () => {
  it('plays every record unchanged', async () => {
    const { log, reports } = await begun(replayAgent({ name: 'a', title: 'A', recording: trams, speed: Infinity }))
    await until(isEnded(log, 'r'))
    expect(await textsOf(log, 'r')).toEqual(trams.bytes.toString().trim().split('\n'))
    expect((await log.run('r'))?.outcome).toBe('success')
    expect(reports).toEqual([])
  })

  it('plays server-sent events with their names', async () => {
    const bytes = fixture('anthropic-messages/plain-text.sse')
    const recording: Recording = { bytes, framing: 'sse', format: 'anthropic-messages' }
    const { log } = await begun(replayAgent({ name: 'a', title: 'A', recording, speed: Infinity }))
    await until(isEnded(log, 'r'))
    const names: unknown[] = []
    for await (const inputs of log.inputs('r'))
      for (const input of inputs) if (input.by === 'producer') names.push(input.name)
    expect(names).toContain('message_start')
    expect((await log.run('r'))?.outcome).toBe('success')
  })

  it('pauses before each record, always for the same time, and shorter at a higher speed', async () => {
    const slept = async (speed: number) => {
      const pauses: number[] = []
      const sleep = async (milliseconds: number) => void pauses.push(milliseconds)
      const { log } = await begun(replayAgent({ name: 'a', title: 'A', recording: trams, speed, sleep }))
      await until(isEnded(log, 'r'))
      return pauses
    }
    const once = await slept(1)
    expect(once).toHaveLength(11)
    expect(Math.min(...once)).toBeGreaterThan(0)
    expect(await slept(1)).toEqual(once)
    expect(await slept(2)).toEqual(once.map((pause) => pause / 2))
    expect(await slept(Infinity)).toEqual([])
  })

  it('ends when it is asked to stop, also during a pause', async () => {
    const { sleep } = createSleeper()
    const { log, runs } = await begun(replayAgent({ name: 'a', title: 'A', recording: trams, sleep }))
    await stopRun(runs, 'r')
    await until(isEnded(log, 'r'))
    expect(await log.run('r')).toMatchObject({ outcome: 'cancelled', rawRecords: 0 })
  })

  const approval = { afterRecord: 6, callId: 'toolu_tram_1', message: 'May I look?' }

  async function answered(answer: ApprovalAnswer, ifDenied?: readonly string[]) {
    const asking = { ...approval, ...(ifDenied !== undefined && { ifDenied }) }
    const agent = replayAgent({ name: 'a', title: 'A', recording: trams, speed: Infinity, approval: asking })
    const { log, runs } = await begun(agent)
    await until(isAsking(log))
    expect((await log.run('r'))?.rawRecords).toBe(6)
    await answerApproval(runs, 'r', 'approval-1', answer)
    await until(isEnded(log, 'r'))
    return log
  }

  it('asks a question and continues if it is approved', async () => {
    const log = await answered({ state: 'approved' })
    const events = await eventsOf(log, 'r')
    const kinds = events.filter(({ type }) => type === 'approval' || type === 'tool-output')
    expect(kinds).toMatchObject([
      { state: 'requested', callId: 'toolu_tram_1' },
      { state: 'approved' },
      { status: 'ok' },
    ])
    expect((await log.run('r'))?.rawRecords).toBe(11)
  })

  it.each(['denied', 'expired'] as const)('stops if it is %s, or plays the records for that case', async (state) => {
    expect(await (await answered({ state })).run('r')).toMatchObject({
      rawRecords: 6,
      outcome: 'interrupted',
    })
    const done = ['{"type":"done","data":{}}']
    expect(await (await answered({ state }, done)).run('r')).toMatchObject({
      rawRecords: 7,
      outcome: 'success',
    })
  })

  it('plays a stored run again, with the same entries', async () => {
    const { log } = await begun(replayAgent({ name: 'a', title: 'A', recording: trams, speed: Infinity }))
    await until(isEnded(log, 'r'))
    const again = await replayAgentOfRun(log, 'r', { name: 'a', title: 'A', speed: Infinity })
    await begun(again, 'again', log)
    await until(isEnded(log, 'again'))
    expect(await timeless(log, 'again')).toEqual(await timeless(log, 'r'))
  })
})
