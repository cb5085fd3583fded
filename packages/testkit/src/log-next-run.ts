import type { Append } from '@millrace/server/log'
import { expect } from './expectation.ts'
import { add, appendTo, end, type LogBench, newRun, readAll, record, refusalOf, start, upFrom } from './log-bench.ts'
import { idsOf, ownRun, promise, runAt } from './log-writers.ts'
import { it } from './runner.ts'

const AT_ONCE = 10

const at = (afterSeq: number) => ({ epoch: 1, afterSeq })
const followUp = { ...newRun('next'), afterRunId: 'r', agent: 'demo', idempotencyKey: 'k', requestHash: 'hash' }
const ending: Append = { inputs: [record('last')], events: [start, end], followUp }

/** The promises of a log about a run that follows another, and one that must be alone in its thread. */
export function nextRunPromises(bench: LogBench): void {
  promise(bench, 'creates a follow-up run with the end of a run, once', async ({ one, other, clock }) => {
    const run = await ownRun(one, 'r')
    clock.now = 1_500
    const entries = await appendTo(one.log, 'r', at(0), ending)
    const next = await runAt(other.log, 'next')
    const { idempotencyKey: _key, requestHash: _hash, ...fields } = followUp
    const begun = { epoch: 0, seq: 0, rawRecords: 0, createdAt: 1_500 }
    expect(next).toStrictEqual({ ...fields, ...begun, state: 'queued' })
    expect(await other.log.expired()).toStrictEqual([next])
    expect(await appendTo(one.log, 'r', at(0), ending)).toEqual(entries)
    expect(await appendTo(one.log, 'r', at(0), { ...ending, followUp: newRun('second') })).toEqual(entries)
    expect(idsOf(await other.log.runs(run.threadId))).toEqual(['r', 'next'])
    expect(await other.log.createRun({ ...followUp, id: 'another' })).toEqual({ run: next, isNew: false })
    expect(await refusalOf(other.log.createRun({ ...followUp, requestHash: 'other' }))).toBe('other-request')
    const begins = await other.log.acquire('next', other.nodeId)
    expect(begins).toStrictEqual({ ...next, state: 'live', owner: other.nodeId, epoch: 1 })
    expect(await one.log.expired()).toEqual([])
  })

  promise(bench, 'creates no follow-up run with an append that is refused', async ({ one, other }) => {
    await ownRun(one, 'r')
    const message = { id: 'm', chatId: 'elsewhere', role: 'assistant', content: '', metadata: {} } as const
    expect(await refusalOf(one.log.append('r', at(1), ending))).toBe('wrong-position')
    expect(await refusalOf(one.log.append('r', { ...at(0), epoch: 2 }, ending))).toBe('stale-owner')
    expect(await refusalOf(one.log.append('r', at(0), { ...ending, message }))).toBe('foreign-message')
    await add(one.log, 'r', start, end)
    expect(await refusalOf(one.log.append('r', at(2), ending))).toBe('run-closed')
    expect(idsOf(await other.log.runs('thread'))).toEqual(['r'])
  })

  promise(bench, 'ends a run although its follow-up exists, and leaves that as it is', async ({ one, other }) => {
    const taken = newRun('taken', { idempotencyKey: 'k', requestHash: 'another' })
    const { run } = await other.log.createRun(taken)
    for (const [id, followUpId] of Object.entries({ r: 'next', s: 'taken', t: 'r' })) {
      await ownRun(one, id)
      await one.log.append(id, at(0), { ...ending, followUp: { ...followUp, id: followUpId } })
      expect(await runAt(other.log, id)).toMatchObject({ state: 'ended', seq: 2, rawRecords: 1 })
      expect(await readAll(other.log, id)).toHaveLength(2)
    }
    expect(await other.log.run('taken')).toStrictEqual(run)
    expect(idsOf(await other.log.runs('thread'))).toEqual(['taken', 'r', 's', 't'])
  })

  promise(bench, 'creates a run that must be alone only if no run of its thread is open', async ({ one, other }) => {
    const alone = (id: string) => other.log.createRun(newRun(id, { isAlone: true, idempotencyKey: id }))
    await ownRun(one, 'elsewhere', 'elsewhere')
    // A subagent's own run does not count.
    await one.log.createRun(newRun('inner', { parentRunId: 'a' }))
    const { run, isNew } = await alone('a')
    expect([isNew, 'isAlone' in run]).toEqual([true, false])
    expect(await alone('a')).toEqual({ run, isNew: false })
    expect(await refusalOf(alone('b'))).toBe('run-live')
    await one.log.release('a', 0)
    expect(await refusalOf(alone('b'))).toBe('run-live')
    const waitingEnd = { inputs: [], events: [end], followUp: newRun('queued') }
    await one.log.append('a', { epoch: 0, afterSeq: 0 }, waitingEnd)
    expect(await refusalOf(alone('b'))).toBe('run-live')
    expect((await alone('a')).isNew).toBe(false)
    await one.log.acquire('queued', one.nodeId)
    expect(await refusalOf(alone('b'))).toBe('run-live')
    await add(one.log, 'queued', end)
    expect((await alone('b')).isNew).toBe(true)
    expect((await other.log.createRun(newRun('c'))).isNew).toBe(true)
    expect(idsOf(await other.log.runs('thread'))).toEqual(['inner', 'a', 'queued', 'b', 'c'])
  })

  it(`creates exactly one of ${AT_ONCE} runs that must be alone`, async () => {
    const log = await bench.open()
    const runs = upFrom(1, AT_ONCE).map((n) => newRun(`${n}`, { isAlone: true }))
    const outcomes = await Promise.all(runs.map((run) => refusalOf(log.createRun(run))))
    expect(outcomes.filter((outcome) => outcome === 'run-live')).toHaveLength(AT_ONCE - 1)
    expect(idsOf(await log.runs('thread'))).toEqual([`${outcomes.indexOf('not refused') + 1}`])
  })
}
