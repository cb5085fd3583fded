import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { stopRun } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import {
  bodyOf,
  brokenBody,
  createPipe,
  createSleeper,
  eventsOf,
  lineOf,
  openLog,
  refusalOf,
  textLine,
  until,
} from './run-parts.ts'

const format = 'agent-lines'
const lines = [lineOf('start'), textLine('One '), textLine('two '), textLine('three.'), lineOf('done')]

async function open(given?: Log) {
  const log = given ?? (await openLog())
  const sleeper = createSleeper()
  return { log, sleeper, runs: createRuns({ log, agents: [], sleep: sleeper.sleep }) }
}

describe('two producers at once', () => {
  async function twoOf(attempt: number) {
    const parts = await open()
    const first = createPipe()
    const fed = parts.runs.ingest({ format, runId: 'r' }, first)
    const settled = fed.catch((error: { code: string; rawRecords: number }) => ({ ...error }))
    first.write(lines.slice(0, 2).join(''))
    await until(async () => (await parts.log.run('r'))?.rawRecords === 2)
    const second = parts.runs.ingest({ format, runId: 'r', attempt, line: 2 }, bodyOf(...lines.slice(2)))
    return { ...parts, first, settled, second }
  }

  it('of the same attempt: the second is refused, and the first continues', async () => {
    const { first, settled, second } = await twoOf(1)
    expect((await refusalOf(second)).code).toBe('run-busy')
    for (const line of lines.slice(2)) first.write(line)
    first.end()
    expect(await settled).toMatchObject({ rawRecords: 5, outcome: 'success' })
  })

  it('of different attempts: the higher one continues, and the first is cut off', async () => {
    const { log, first, settled, second } = await twoOf(2)
    expect(await second).toMatchObject({ rawRecords: 5, outcome: 'success' })
    expect(await settled).toMatchObject({ code: 'stale-attempt' })
    expect(first.isAbandoned()).toBe(true)
    expect((await log.run('r'))?.attempt).toBe(2)
  })

  it('of different attempts: the last one keeps the run, even if the first takes long to stop', async () => {
    const log = await openLog()
    const release: Log['release'] = async (...values) => {
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
      await log.release(...values)
    }
    const { runs } = await open({ ...log, release })
    const pipes = [createPipe(), createPipe()]
    const [first, second] = pipes.map((pipe, index) => runs.ingest({ format, runId: 'r', attempt: index + 1 }, pipe))
    expect((await refusalOf(first ?? Promise.resolve())).code).toBe('stale-attempt')
    pipes[1]?.write(lines[0] ?? '')
    await until(async () => (await log.run('r'))?.rawRecords === 1)
    expect(await log.run('r')).toMatchObject({ state: 'live', attempt: 2 })
    const third = await refusalOf(runs.ingest({ format, runId: 'r', attempt: 2 }, bodyOf(...lines)))
    expect(third.code).toBe('run-busy')
    pipes[1]?.end()
    expect(await second).toMatchObject({ rawRecords: 1 })
  })

  it('in different processes: the log fences the lower attempt', async () => {
    const { log, runs } = await open()
    const first = createPipe()
    const fed = refusalOf(runs.ingest({ format, runId: 'r' }, first))
    first.write(lines[0] ?? '')
    await until(async () => (await log.run('r'))?.rawRecords === 1)
    const other = await open(log)
    const answer = await other.runs
      .ingest({ format, runId: 'r', attempt: 2, line: 1 }, brokenBody(lines[1] ?? ''))
      .catch((error: { code: string }) => error.code)
    expect(answer).toBe('broken-off')
    first.write(textLine('stale'))
    expect((await fed).code).toBe('stale-attempt')
    expect(await log.run('r')).toMatchObject({ rawRecords: 2, attempt: 2 })
  })
})

describe('stopping an ingested run', () => {
  it('is logged, cuts off the body and ends the run as cancelled', async () => {
    const { log, runs } = await open()
    const pipe = createPipe()
    const fed = refusalOf(runs.ingest({ format, runId: 'r' }, pipe))
    pipe.write(lines.slice(0, 2).join(''))
    await until(async () => (await log.run('r'))?.rawRecords === 2)
    expect(await stopRun(runs, 'r')).toBe(true)
    expect((await fed).code).toBe('run-closed')
    const events = await eventsOf(log, 'r')
    expect(events.map(({ type }) => type)).toContain('control')
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
  })

  it('works while the run waits for its producer', async () => {
    const { log, runs, sleeper } = await open()
    await refusalOf(runs.ingest({ format, runId: 'r' }, brokenBody(lines[1] ?? '')))
    expect(await stopRun(runs, 'r', 'ada')).toBe(true)
    sleeper.wakeAll()
    expect(await log.run('r')).toMatchObject({ state: 'ended', outcome: 'cancelled' })
    expect(await eventsOf(log, 'r')).toContainEqual({ type: 'control', action: 'stop', by: 'ada' })
    expect(await stopRun(runs, 'r')).toBe(false)
  })
})
