import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import type { Agent, AgentRequest, ApprovalAnswer } from '../src/run/agent.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import {
  agentOf,
  bodyOf,
  bytesOf,
  createReports,
  createSleeper,
  eventsOf,
  isEnded,
  lineOf,
  openLog,
  recoverAfterCrash,
  textLine,
  timeOfLogs,
  until,
} from './run-parts.ts'

interface Heard {
  readonly requests: AgentRequest[]
  readonly answers: ApprovalAnswer[]
}

/** An agent whose state is the log: it asks, or waits for the answer to what an earlier attempt has asked. */
function askingAgent(heard: Heard, can: Agent['can'] = { recover: true }): Agent {
  const agent = agentOf(async function* (request, host) {
    heard.requests.push(request)
    const ids: string[] = []
    for await (const entries of host.entries(0)) {
      for (const { event } of entries) {
        if (event.type === 'approval' && event.state === 'requested') ids.push(event.approvalId)
      }
    }
    const [asked] = ids
    if (asked === undefined) yield bytesOf(lineOf('tool_use', { id: 'c', name: 'dig', input: {} }))
    const question = { callId: 'c', message: 'May I dig?' }
    const answer = asked === undefined ? await host.ask(question) : await host.answer(asked)
    if (request.signal.aborted) return
    heard.answers.push(answer)
    yield bytesOf(lineOf('tool_result', { tool_use_id: 'c', output: answer.state }) + textLine('Dug.') + lineOf('done'))
  })
  return { ...agent, can }
}

/** A process that uses the log. A test simulates its death by not using it any more. */
function open(log: Log, agent: Agent) {
  const { sleep } = createSleeper()
  const { report, reports } = createReports()
  return { reports, runs: createRuns({ log, agents: [agent], now: timeOfLogs, sleep, report }) }
}

const START = {
  threadId: 't',
  agent: 'tester',
  input: { text: 'Go', client: { tools: [{ name: 'map' }] } },
  runId: 'r',
}

/** Left by an earlier process, which hears nothing any more: a run with an open question. */
async function leftAsking(log: Log, can?: Agent['can']) {
  const deaf: Log = { ...log, watch: () => () => undefined }
  await open(deaf, askingAgent({ requests: [], answers: [] }, can)).runs.start(START)
  await until(async () => (await eventsOf(log, 'r')).at(-1)?.type === 'approval')
}

async function restarted(can?: Agent['can']) {
  const log = await openLog()
  await leftAsking(log, can)
  const heard: Heard = { requests: [], answers: [] }
  const process = open(log, askingAgent(heard, can))
  await recoverAfterCrash(process.runs)
  return { log, heard, ...process }
}

const APPROVED = { state: 'approved' } as const

describe('the question of an agent that can recover', () => {
  it('stays open over a restart, and its answer brings the agent back as another attempt', async () => {
    const { log, heard, runs, reports } = await restarted()
    const left = await log.run('r')
    expect([left?.state, left?.waitUntil, heard.requests.length]).toEqual(['waiting', undefined, 0])
    expect(left !== undefined && (await runs.isAsking(left))).toBe(true)
    await answerApproval(runs, 'r', 'approval-1', APPROVED)
    await until(isEnded(log, 'r'))
    expect(heard.answers).toEqual([APPROVED])
    expect(heard.requests).toMatchObject([
      { attempt: 2, input: { text: 'Go', client: { tools: [{ name: 'map' }] } }, clientTools: [{ name: 'map' }] },
    ])
    const events = await eventsOf(log, 'r')
    expect(events.slice(events.findIndex(({ type }) => type === 'approval'))).toMatchObject([
      { type: 'approval', state: 'requested' },
      { type: 'control', action: 'resume' },
      { type: 'approval', state: 'approved' },
      { type: 'tool-output', status: 'ok' },
      { type: 'block-start' },
      { type: 'block-delta', text: 'Dug.' },
      { type: 'block-end' },
      { type: 'message-end' },
      { type: 'run-end', outcome: 'success' },
    ])
    expect((await log.run('r'))?.attempt).toBe(2)
    expect(reports).toEqual([])
  })

  it('stays open over many restarts, and while its process closes cleanly', async () => {
    const { log, runs } = await restarted()
    await runs.close()
    const again = open(log, askingAgent({ requests: [], answers: [] }))
    await recoverAfterCrash(again.runs)
    await answerApproval(again.runs, 'r', 'approval-1', { state: 'denied', message: 'No.' })
    await until(isEnded(log, 'r'))
    expect((await eventsOf(log, 'r')).at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('is answered by an answer that was stored, and not yet heard, when the process died', async () => {
    const log = await openLog()
    await leftAsking(log)
    const heard: Heard = { requests: [], answers: [] }
    const { runs } = open(log, askingAgent(heard))
    for (const { owner } of await log.openRuns()) if (owner !== undefined) await log.leave(owner)
    await log.tell('r', { command: { type: 'answer', approvalId: 'approval-1', answer: APPROVED } })
    await runs.recover()
    await until(isEnded(log, 'r'))
    expect(heard.answers).toEqual([APPROVED])
  })

  it('expires when the run is stopped while nobody feeds it, without another attempt', async () => {
    const { log, heard, runs } = await restarted()
    await stopRun(runs, 'r')
    await until(isEnded(log, 'r'))
    expect(await log.run('r')).toMatchObject({ outcome: 'cancelled', attempt: 1 })
    expect(heard.requests).toEqual([])
  })

  it('expires at the restart if the agent cannot recover, or is gone', async () => {
    for (const can of [{ recover: false }, {}]) {
      const { log } = await restarted(can)
      expect(await log.run('r')).toMatchObject({ state: 'ended', outcome: 'interrupted' })
    }
    const log = await openLog()
    await leftAsking(log)
    const { runs } = open(
      log,
      agentOf(() => bodyOf(), 'other'),
    )
    await recoverAfterCrash(runs)
    expect(await log.run('r')).toMatchObject({ state: 'ended', outcome: 'interrupted' })
  })
})

it('a run of an agent that can recover ends at the restart if it asks nothing', async () => {
  const log = await openLog()
  const silent: Agent = {
    ...agentOf(async function* () {
      yield bytesOf(textLine('Hm.'))
      await new Promise(() => undefined)
    }),
    can: { recover: true },
  }
  await open(log, silent).runs.start(START)
  await until(async () => (await log.run('r'))?.rawRecords === 1)
  await recoverAfterCrash(open(log, silent).runs)
  expect(await log.run('r')).toMatchObject({ state: 'ended', outcome: 'interrupted' })
})

it('an agent that reads its own run sees everything that it has sent, and behind a position only what follows', async () => {
  const log = await openLog()
  const seen: (readonly (string | number)[])[] = []
  const reading = agentOf(async function* (_request, host) {
    for (const text of ['One.', 'Two.']) {
      yield bytesOf(textLine(text))
      let after =
        seen
          .flat()
          .filter((value) => typeof value === 'number')
          .at(-1) ?? 0
      const texts: string[] = []
      for await (const entries of host.entries(after)) {
        for (const { seq, event } of entries) {
          after = seq
          if (event.type === 'block-delta') texts.push(event.text)
        }
      }
      seen.push([...texts, after])
    }
  })
  const slow: Log = { ...log, append: async (...batch) => setImmediate().then(() => log.append(...batch)) }
  await open(slow, reading).runs.start({ ...START, input: { text: '' } })
  await until(isEnded(log, 'r'))
  expect(seen.map(([text]) => text)).toEqual(['One.', 'Two.'])
})
