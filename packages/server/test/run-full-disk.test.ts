import { describe, expect, it } from 'vitest'
import { LogError } from '../src/log/errors.ts'
import type { Log } from '../src/log/log.ts'
import { stopRun } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import {
  agentOf,
  bodyOf,
  createPipe,
  createReports,
  createSleeper,
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

/** A log on a disk that the test fills: writes fail, reads work. */
async function open() {
  const stored = await openLog()
  let isFull = false
  const writing = [
    'append',
    'release',
    'acquire',
    'tell',
    'setFollowing',
    'createRun',
    'createThread',
    'renameThread',
  ] as const
  const guarded = writing.map((name) => [
    name,
    async (...values: never[]) => {
      if (isFull) throw new LogError('log-full', 'database or disk is full')
      return (stored[name] as (...values: never[]) => unknown)(...values)
    },
  ])
  const log = { ...stored, ...Object.fromEntries(guarded) } as Log
  const sleeper = createSleeper()
  const { report, reports } = createReports()
  const pipe = createPipe()
  const runs = createRuns({ log, agents: [agentOf(() => pipe)], sleep: sleeper.sleep, now: timeOfLogs, report })
  /** Ends the current sleep and waits for the next one. */
  const pass = async () => {
    const before = sleeper.slept.length
    sleeper.wakeAll()
    await until(() => sleeper.slept.length > before)
  }
  const fill = (full: boolean) => {
    isFull = full
  }
  return { log, runs, sleeper, pipe, pass, reports, fill }
}

describe('a disk that is full for longer than runs wait', () => {
  it('does not leave an agent’s run live: it is ended as soon as there is room', async () => {
    const { log, runs, sleeper, pipe, pass, fill } = await open()
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'own' })
    fill(true)
    pipe.write(textLine('lost'))
    await until(() => sleeper.sleeping() === 1)
    for (let round = 0; round < 8; round++) await pass()
    expect(sleeper.slept).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000])
    fill(false)
    // The run has waited for longer than it had to: it does not begin to wait now.
    await pass()
    expect(sleeper.slept.at(-1)).toBe(0)
    sleeper.wakeAll()
    await until(isEnded(log, 'own'))
    expect((await eventsOf(log, 'own')).at(-1)).toMatchObject({ type: 'run-end', outcome: 'interrupted' })
    expect(JSON.stringify(await eventsOf(log, 'own'))).not.toContain('lost')
  })

  it('lets a producer continue at the log’s position, while the server tries to end the run', async () => {
    const { log, runs, sleeper, pass, fill } = await open()
    const pipe = createPipe()
    const first = refusalOf(runs.ingest({ format: 'agent-lines', runId: 'r' }, pipe))
    pipe.write(textLine('one'))
    await until(async () => (await log.run('r'))?.rawRecords === 1)
    fill(true)
    pipe.write(textLine('two'))
    expect((await first).code).toBe('log-full')
    await until(() => sleeper.sleeping() === 1)
    await pass()
    expect(
      (await refusalOf(runs.ingest({ format: 'agent-lines', runId: 'r', line: 1 }, bodyOf(textLine('two'))))).code,
    ).toBe('log-full')
    fill(false)
    const answer = await runs.ingest(
      { format: 'agent-lines', runId: 'r', line: 1 },
      bodyOf(textLine('two'), lineOf('done')),
    )
    expect(answer).toMatchObject({ rawRecords: 3, outcome: 'success' })
  })

  it('refuses what is asked of a run, and does it once there is room', async () => {
    const { log, runs, pipe, fill } = await open()
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'own' })
    pipe.write(textLine('One.'))
    await until(async () => (await log.run('own'))?.rawRecords === 1)
    fill(true)
    expect((await refusalOf(stopRun(runs, 'own'))).code).toBe('log-full')
    expect(await log.commands('own', { after: 0 })).toEqual([])
    fill(false)
    expect(await stopRun(runs, 'own')).toBe(true)
    pipe.end()
    await until(isEnded(log, 'own'))
  })

  it('does not lose a run that was started just before', async () => {
    const { log, runs, sleeper, fill } = await open()
    const asked = {
      ...log,
      createRun: async (...values: Parameters<Log['createRun']>) => {
        const made = await log.createRun(...values)
        fill(true)
        return made
      },
    }
    const late = createRuns({ log: asked, agents: [], sleep: sleeper.sleep, report: () => {} })
    expect((await refusalOf(late.ingest({ format: 'agent-lines', runId: 'r' }, bodyOf(textLine('one'))))).code).toBe(
      'log-full',
    )
    expect((await log.run('r'))?.state).toBe('live')
    fill(false)
    await until(async () => {
      sleeper.wakeAll()
      return isEnded(log, 'r')()
    })
    await runs.close()
  })

  it('is tried again if it is full at the start of the server', async () => {
    const { log, runs, sleeper, fill, reports } = await open()
    await log.createRun({
      id: 'left',
      threadId: 't',
      agent: 'tester',
      format: 'agent-lines',
      parserVersion: 1,
      attempt: 1,
    })
    fill(true)
    await recoverAfterCrash(runs)
    expect(reports).not.toEqual([])
    fill(false)
    sleeper.wakeAll()
    await until(isEnded(log, 'left'))
  })
})
