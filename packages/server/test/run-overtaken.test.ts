import { expect, it } from 'vitest'
import { LogError } from '../src/log/errors.ts'
import type { Log } from '../src/log/log.ts'
import { answerApproval } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { createRunBench, ingestSome } from './run-bench.ts'
import {
  agentOf,
  bodyOf,
  createPipe,
  createSleeper,
  lineOf,
  openLog,
  textLine,
  timeOfLogs,
  until,
} from './run-parts.ts'

const RUN = { threadId: 't', agent: 'tester', format: 'agent-lines', parserVersion: 1, attempt: 1 }

/** A run that has ended, and a queued one after it. */
async function queue(log: Log, agent = 'tester'): Promise<void> {
  await log.createRun({ ...RUN, agent, id: 'r' })
  const followUp = { ...RUN, agent, id: 'next', afterRunId: 'r' }
  const events = [{ type: 'run-end', outcome: 'success' }] as const
  await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [], events, followUp })
}

it('the end of a wait does not end a run that was answered after it was listed, and that waits anew', async () => {
  const { log, runs, gate, sleeper } = await createRunBench()
  await ingestSome(runs, 3)
  // The sweep calls `expired`, then `acquire`.
  const held = gate.hold(gate.calls.length + 1, 'call')
  sleeper.wakeAll()
  await held.reached
  expect(await answerApproval(runs, 'r', 'own', { state: 'approved' })).toBe('answered')
  await until(async () => (await log.run('r'))?.state === 'waiting')
  held.release()
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  const { state, waitUntil = 0 } = (await log.run('r')) ?? expect.fail()
  expect([state, waitUntil - timeOfLogs() > 30_000]).toEqual(['waiting', true])
})

it('what is refused does not prolong the wait for a producer', async () => {
  const { log, runs } = await createRunBench()
  await ingestSome(runs, 1)
  const { waitUntil = 0 } = (await log.run('r')) ?? expect.fail()
  // The clock of this log goes on by a second whenever it is read.
  for (let second = 0; second < 30; second++) await log.expired()
  expect(await answerApproval(runs, 'r', 'own', { state: 'approved' })).toBe('not-asked')
  await until(async () => (await log.run('r'))?.state === 'waiting')
  expect((await log.run('r'))?.waitUntil).toBeLessThan(waitUntil + 10_000)
})

it('a queued run whose agent is gone ends as interrupted', async () => {
  const log = await openLog()
  const runs = createRuns({ log, agents: [] })
  await queue(log, 'gone')
  await runs.recover()
  expect(await log.run('next')).toMatchObject({ state: 'ended', outcome: 'interrupted' })
})

it('a queued run is begun, or ended, although the log failed at its beginning', async () => {
  const stored = await openLog()
  let failures = 1
  const commands: Log['commands'] = async (...values) => {
    if (failures-- > 0) throw new LogError('log-full', 'no room')
    return stored.commands(...values)
  }
  const agent = agentOf(() => bodyOf(lineOf('done')))
  const log = { ...stored, commands }
  const sleeper = createSleeper()
  const runs = createRuns({ log, agents: [agent], report: () => undefined, sleep: sleeper.sleep })
  await queue(stored)
  await runs.recover()
  await until(async () => {
    sleeper.wakeAll()
    return (await stored.run('next'))?.state === 'ended'
  })
  expect((await stored.run('next'))?.outcome).toBe('success')
})

/** Attempt 1 feeds the run; then two higher ones come at once. The codes of those that are refused, with their times. */
async function race(first: number, second: number, opened = openLog()) {
  const log = await opened
  const runs = createRuns({ log, agents: [], settleWithin: 1_500 })
  const refused: Record<number, { code: string; isAtOnce: boolean }> = {}
  const begin = performance.now()
  const feed = (attempt: number) => {
    const pipe = createPipe()
    pipe.write(textLine('One.'))
    runs.ingest({ format: 'agent-lines', runId: 'r', attempt }, pipe).catch(({ code }) => {
      refused[attempt] = { code, isAtOnce: performance.now() - begin < 1_000 }
    })
  }
  feed(1)
  await until(async () => (await log.run('r'))?.rawRecords === 1)
  feed(first)
  feed(second)
  await until(async () => Object.keys(refused).length === 2 && (await log.run('r'))?.rawRecords === 1)
  return { refused, attempt: (await log.run('r'))?.attempt }
}

it('a producer that a higher attempt has overtaken hears `stale-attempt` at once', async () => {
  expect((await race(2, 3)).refused[2]).toEqual({ code: 'stale-attempt', isAtOnce: true })
})

it('of two higher attempts at once, the highest has the run', async () => {
  expect((await race(3, 2)).attempt).toBe(3)
})

it('the highest attempt has the run although a lower one was faster', async () => {
  const log = await openLog()
  let asked = 0
  const acquire: Log['acquire'] = async (runId, nodeId, attempt) => {
    // The third time is after the owner was asked to leave.
    if (attempt === 3 && ++asked === 3) await until(async () => (await log.run(runId))?.attempt === 2)
    return log.acquire(runId, nodeId, attempt)
  }
  const { attempt, refused } = await race(3, 2, Promise.resolve({ ...log, acquire }))
  expect([attempt, refused[2]?.code]).toEqual([3, 'stale-attempt'])
})

it('a follower that the log has refused does not count', async () => {
  const { log, runs } = await createRunBench()
  await runs.follow('r').catch(() => undefined)
  await ingestSome(runs, 1)
  const leave = await runs.follow('r')
  leave()
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(await log.isFollowed('r')).toBe(false)
})
