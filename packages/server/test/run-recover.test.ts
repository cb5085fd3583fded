import type { StreamEvent } from '@millrace/core/events'
import { getParser } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { describe, expect, it } from 'vitest'
import type { Log, StoredRun } from '../src/log/log.ts'
import { answerApproval } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import {
  agentOf,
  bodyOf,
  brokenBody,
  bytesOf,
  createPipe,
  createReports,
  createSleeper,
  entriesOf,
  eventsOf,
  isEnded,
  lineOf,
  openLog,
  recoverAfterCrash,
  refusalOf,
  textLine,
  timeOfLogs,
  until,
} from './run-parts.ts'

const format = 'agent-lines'

/** A process that uses the log. A test simulates its death by not using it any more. */
function open(log: Log, agents = [agentOf(() => bodyOf())]) {
  const sleeper = createSleeper()
  const { report, reports } = createReports()
  return { sleeper, reports, runs: createRuns({ log, agents, now: timeOfLogs, sleep: sleeper.sleep, report }) }
}

/** Left by an earlier process: an agent's run with an open thinking block. */
async function leftByAgent(log: Log) {
  const pipe = createPipe()
  const { runs } = open(log, [agentOf(() => pipe)])
  await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'own' })
  pipe.write(
    lineOf('thinking', { content: 'Hm.' }) +
      lineOf('tool_use', { id: 'c', name: 'dig', input: {} }) +
      textLine('a <thi'),
  )
  await until(async () => (await log.run('own'))?.rawRecords === 3)
}

const isWithoutLimit = (run: StoredRun | undefined) => run?.state === 'waiting' && run.waitUntil === undefined

/** Left by an earlier process: an agent's run with an open question. */
async function leftAsking(log: Log) {
  const asking = agentOf(async function* (_request, host) {
    yield bytesOf(lineOf('tool_use', { id: 'c', name: 'dig', input: {} }))
    await host.ask({ callId: 'c', message: 'May I dig?' })
    yield bytesOf(lineOf('done'))
  })
  await open(log, [asking]).runs.start({ threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'own' })
  await until(async () => (await eventsOf(log, 'own')).at(-1)?.type === 'approval')
}

describe('the next start', () => {
  it("S3-43: ends an agent's run as interrupted, with all that was open and held back, dated like its last entry", async () => {
    const log = await openLog()
    await leftByAgent(log)
    const before = await entriesOf(log, 'own')
    const { runs, reports } = open(log)
    await recoverAfterCrash(runs)
    const added = (await entriesOf(log, 'own')).slice(before.length)
    expect(added.map(({ event }) => event)).toMatchObject([
      { type: 'block-delta', text: '<thi' },
      { type: 'block-end', interrupted: true },
      { type: 'tool-output', callId: 'c', status: 'cancelled' },
      { type: 'message-end', interrupted: true },
      { type: 'run-end', outcome: 'interrupted' },
    ])
    expect(new Set(added.map(({ at }) => at))).toEqual(new Set([before.at(-1)?.at]))
    expect(await log.messages('t')).toMatchObject([{ content: 'a <thi', metadata: { thinking: 'Hm.\n' } }])
    expect(reports).toEqual([])
  })

  it('keeps a run of which only the creation is durable, and ends it too', async () => {
    const log = await openLog()
    await log.createRun({ id: 'own', threadId: 't', agent: 'tester', format, parserVersion: 1, attempt: 1 })
    await recoverAfterCrash(open(log).runs)
    expect((await eventsOf(log, 'own')).map(({ type }) => type)).toEqual(['run-start', 'run-end'])
  })

  it('expires the question of an agent that is gone, dated like its last entry, and accepts no answer afterwards', async () => {
    const log = await openLog()
    await leftAsking(log)
    const before = await entriesOf(log, 'own')
    const { runs, reports } = open(log)
    await recoverAfterCrash(runs)
    expect(await log.run('own')).toMatchObject({ state: 'ended', outcome: 'interrupted' })
    const added = (await entriesOf(log, 'own')).slice(before.length)
    expect(added.map(({ event }) => event)).toMatchObject([
      { type: 'approval', approvalId: 'approval-1', callId: 'c', state: 'expired' },
      { type: 'tool-output', callId: 'c', status: 'cancelled' },
      { type: 'message-end' },
      { type: 'run-end', outcome: 'interrupted' },
    ])
    expect(new Set(added.map(({ at, by }) => `${at} ${by}`))).toEqual(new Set([`${before.at(-1)?.at} server`]))
    expect(await runs.isAsking((await log.run('own')) ?? expect.fail())).toBe(false)
    expect(await answerApproval(runs, 'own', 'approval-1', { state: 'approved' })).toBe('not-asked')
    expect((await entriesOf(log, 'own')).length).toBe(before.length + added.length)
    expect(reports).toEqual([])
  })

  it('leaves an ingested run open that awaits an answer; after the answer it waits for its producer', async () => {
    const log = await openLog()
    await log.createRun({ id: 'r', threadId: 't', format, parserVersion: 1, attempt: 1 })
    const event: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested', message: 'May I?' }
    const events = createReader(getParser(format)).add(event)
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [{ by: 'server', event }], events })
    const { runs, sleeper } = open(log)
    await recoverAfterCrash(runs)
    sleeper.wakeAll()
    await until(async () => isWithoutLimit(await log.run('r')))
    expect(await answerApproval(runs, 'r', 'a', { state: 'denied' })).toBe('answered')
    expect((await eventsOf(log, 'r')).at(-1)).toMatchObject({ type: 'approval', state: 'denied' })
    expect(await runs.ingest({ format, runId: 'r' }, bodyOf(lineOf('done')))).toMatchObject({ outcome: 'success' })
    expect(sleeper.slept).toEqual([60_000, 60_000])
  })

  it('does what was asked of a run that waits without a limit, by a process that died before it did it', async () => {
    const log = await openLog()
    await log.createRun({ id: 'r', threadId: 't', format, parserVersion: 1, attempt: 1 })
    const event: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested', message: 'May I?' }
    const events = createReader(getParser(format)).add(event)
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [{ by: 'server', event }], events })
    const { runs, sleeper } = open(log)
    await recoverAfterCrash(runs)
    sleeper.wakeAll()
    await until(async () => isWithoutLimit(await log.run('r')))
    await log.tell('r', { command: { type: 'stop' } })
    await recoverAfterCrash(open(log).runs)
    await until(async () => (await log.run('r'))?.state === 'ended')
    expect(await log.commands('r', { after: 0 })).toMatchObject([{ result: { state: 'applied' } }])
  })

  it('does not wait any more for the producer of a run that an answer has ended', async () => {
    const log = await openLog()
    await log.createRun({ id: 'r', threadId: 't', format, parserVersion: 1, attempt: 1 })
    const event: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested', message: 'May I?' }
    // Reading the input again gives other events, so no producer can continue the run.
    const events = createReader(getParser(format)).add({ ...event, message: 'May I, perhaps?' })
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [{ by: 'server', event }], events })
    const { runs, sleeper } = open(log)
    await recoverAfterCrash(runs)
    expect(sleeper.sleeping()).toBe(1)
    expect(await answerApproval(runs, 'r', 'a', { state: 'denied' })).toBe('answered')
    expect(await log.run('r')).toMatchObject({ state: 'ended', outcome: 'interrupted' })
    sleeper.wakeAll()
    expect(await log.expired()).toEqual([])
  })

  it('lets an ingested run wait for its producer, until the timeout', async () => {
    const log = await openLog()
    void open(log)
      .runs.ingest({ format, runId: 'r', threadId: 't' }, brokenBody(textLine('One ')))
      .catch(() => undefined)
    await until(async () => (await log.run('r'))?.rawRecords === 1)
    const { runs, sleeper } = open(log)
    await recoverAfterCrash(runs)
    expect(await log.run('r')).toMatchObject({ state: 'waiting' })
    expect(sleeper.slept[0]).toBeGreaterThan(50_000)
    sleeper.wakeAll()
    await until(isEnded(log, 'r'))
    const entries = await entriesOf(log, 'r')
    expect(entries.at(-1)?.event).toEqual({ type: 'run-end', outcome: 'interrupted' })
    expect(new Set(entries.map(({ at }) => at)).size).toBe(1)
    expect((await refusalOf(runs.ingest({ format, runId: 'r', line: 1 }, bodyOf(textLine('two'))))).code).toBe(
      'run-closed',
    )
  })

  it('ends an agent’s run from its log if no parser reads its format any more', async () => {
    const log = await openLog()
    await leftByAgent(log)
    const forgotten: Log = {
      ...log,
      openRuns: async () => (await log.openRuns()).map((run) => ({ ...run, format: 'semaphore' })),
    }
    await recoverAfterCrash(open(forgotten).runs)
    expect((await eventsOf(log, 'own')).slice(-4)).toMatchObject([
      { type: 'block-end', interrupted: true },
      { type: 'tool-output', callId: 'c', status: 'cancelled' },
      { type: 'message-end' },
      { type: 'run-end', outcome: 'interrupted' },
    ])
  })

  it('continues with the other runs if one cannot be recovered, and reports it', async () => {
    const log = await openLog()
    await log.createRun({ id: 'bad', threadId: 't', agent: 'tester', format, parserVersion: 1, attempt: 1 })
    await log.createRun({ id: 'good', threadId: 't', agent: 'tester', format, parserVersion: 1, attempt: 1 })
    const append: Log['append'] = async (runId, ...rest) => {
      if (runId === 'bad') throw new Error('torn page')
      return log.append(runId, ...rest)
    }
    const { runs, reports } = open({ ...log, append })
    await recoverAfterCrash(runs)
    expect((await log.run('good'))?.state).toBe('ended')
    expect((await log.run('bad'))?.state).not.toBe('ended')
    expect(reports).toContainEqual(new Error('torn page'))
  })
})
