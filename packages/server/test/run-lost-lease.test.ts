import { describe, expect, it } from 'vitest'
import { LogError } from '../src/log/errors.ts'
import type { Log } from '../src/log/log.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { agentOf, bodyOf, brokenBody, lineOf, openLog, refusalOf, textLine, until } from './run-parts.ts'

const PRODUCER = { format: 'agent-lines', runId: 'r' }
const START = { threadId: 't', agent: 'tester', input: { text: 'Go' } }

const agents = [agentOf(() => bodyOf(lineOf('done')))]

/** A log that ends this process's lease when the test says so, and counts how often the process joins. */
async function openLeased(wrap: (log: Log) => Partial<Log> = () => ({})) {
  const stored = await openLog()
  const joined: { readonly id: string; readonly onLost: () => void }[] = []
  const join: Log['join'] = async (onLost = () => undefined) => {
    const id = await stored.join()
    joined.push({ id, onLost })
    return id
  }
  const log = { ...stored, join, ...wrap(stored) }
  const runs = createRuns({ log, agents, report: () => undefined })
  /** `hears`: the process has heard of it before it writes again. */
  async function endLease({ hears }: { readonly hears: boolean }) {
    const current = joined.at(-1) ?? expect.fail('It has not joined.')
    await stored.leave(current.id)
    if (hears) current.onLost()
  }
  return { log: stored, runs, joined, endLease }
}

describe('a process whose lease ends', () => {
  it.each([true, false])('begins and resumes runs under its next id (has heard of the end: %s)', async (hears) => {
    const { log, runs, joined, endLease } = await openLeased()
    await runs.start({ ...START, runId: 'first' })
    await runs.ingest(PRODUCER, brokenBody(textLine('One.'))).catch(() => undefined)
    await endLease({ hears })
    await runs.start({ ...START, runId: 'second' })
    expect((await log.run('second'))?.epoch).toBe(1)
    await endLease({ hears })
    expect(await runs.ingest({ ...PRODUCER, line: 1 }, bodyOf(lineOf('done')))).toMatchObject({ outcome: 'success' })
    expect(joined).toHaveLength(3)
  })

  it('owns the run that it begins although it hears of the end while the log refuses the old id', async () => {
    let refusals = 0
    const leased = await openLeased((stored) => ({
      async createRun(run) {
        if (run.id !== 'second' || refusals++ > 0) return stored.createRun(run)
        await leased.endLease({ hears: true })
        return stored.createRun(run)
      },
    }))
    const { log, runs, joined } = leased
    await runs.start({ ...START, runId: 'first' })
    await runs.start({ ...START, runId: 'second' })
    expect([(await log.run('second'))?.epoch, joined.length, refusals]).toEqual([1, 2, 2])
    await until(async () => (await log.run('second'))?.state === 'ended')
  })

  it('joins once for all calls that meet the end', async () => {
    const { runs, joined, endLease } = await openLeased()
    await runs.start({ ...START, runId: 'first' })
    await endLease({ hears: false })
    await Promise.all(['a', 'b', 'c'].map((runId) => runs.start({ ...START, threadId: runId, runId })))
    expect(joined).toHaveLength(2)
  })
})

describe('a producer whose node is refused by the log', () => {
  it('may try elsewhere if the next lease of its node has ended, too', async () => {
    const { log, runs } = await openLeased((stored) => ({
      acquire: async (_runId, nodeId) => {
        await stored.leave(nodeId)
        return stored.acquire('r', nodeId)
      },
    }))
    await runs.ingest(PRODUCER, brokenBody(textLine('One.'))).catch(() => undefined)
    expect(await refusalOf(runs.ingest({ ...PRODUCER, line: 1 }, bodyOf(lineOf('done'))))).toEqual({
      code: 'lease-lost',
      rawRecords: 1,
    })
    expect((await log.run('r'))?.state).toBe('waiting')
  })

  /** The codes of the log, and what the producer is answered. */
  const answers = [
    ['wrong-position', 'out-of-step'],
    ['stale-owner', 'run-busy'],
  ] as const

  it.each(answers)('%s: may go on behind what is stored, and is answered %s', async (code, answered) => {
    let isRefusing = false
    const { log, runs } = await openLeased((stored) => ({
      async append(...values) {
        if (isRefusing) throw new LogError(code, 'r')
        return stored.append(...values)
      },
    }))
    await runs.ingest(PRODUCER, brokenBody(textLine('One.'))).catch(() => undefined)
    isRefusing = true
    const refused = await refusalOf(runs.ingest({ ...PRODUCER, line: 1 }, bodyOf(textLine('Two.'), lineOf('done'))))
    expect([refused.code, refused.rawRecords]).toEqual([answered, 1])
    isRefusing = false
    await until(async () => (await log.run('r'))?.state === 'waiting')
    expect(await runs.ingest({ ...PRODUCER, line: 1 }, bodyOf(lineOf('done')))).toMatchObject({ outcome: 'success' })
  })

  it.each(answers)('%s at the end of a run whose parser has changed: is answered %s', async (code, answered) => {
    let isRefusing = false
    const { log, runs } = await openLeased((stored) => ({
      async append(...values) {
        if (isRefusing) throw new LogError(code, 'r')
        return stored.append(...values)
      },
      async *inputs(runId) {
        if (!isRefusing) yield* stored.inputs(runId)
      },
    }))
    await runs.ingest(PRODUCER, brokenBody(textLine('One.'))).catch(() => undefined)
    isRefusing = true
    const refused = await refusalOf(runs.ingest({ ...PRODUCER, line: 1 }, bodyOf(lineOf('done'))))
    expect(refused.code).toBe(answered)
    expect((await log.run('r'))?.seq).toBeGreaterThan(0)
  })
})
