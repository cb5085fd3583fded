import type { Log } from '@millrace/server/log'
import { expect } from './expectation.ts'
import {
  add,
  delta,
  end,
  inputsOf,
  type LogBench,
  newRun,
  readAll,
  record,
  refusalOf,
  start,
  upFrom,
} from './log-bench.ts'
import { idsOf, join, ownRun, promise, runAt } from './log-writers.ts'
import { it } from './runner.ts'

const NODES = 12

/** All that a writer could change of a run. */
const stateOf = async (log: Log, runId: string) => ({
  run: await runAt(log, runId),
  entries: await readAll(log, runId),
  inputs: await inputsOf(log, runId),
  commands: await log.commands(runId, { after: 0 }),
  threads: (await log.threads({})).items,
})

/** The promises of a log about nodes and the runs that they own. */
export function nodePromises(bench: LogBench): void {
  promise(bench, 'gives a run without an owner to the node that acquires it', async ({ one, other }) => {
    const { run } = await one.log.createRun(newRun('r'))
    expect([run.epoch, 'owner' in run]).toEqual([0, false])
    const owned = { ...run, owner: one.nodeId, epoch: 1, state: 'live' }
    expect(await one.log.acquire('r', one.nodeId)).toStrictEqual(owned)
    expect(await other.log.run('r')).toStrictEqual(owned)
    await one.log.release('r', 1)
    const { owner, epoch } = await other.log.acquire('r', other.nodeId)
    expect([owner, epoch]).toEqual([other.nodeId, 2])
  })

  promise(bench, 'refuses a run while the lease of its owner holds, also to its owner', async ({ one, other }) => {
    await ownRun(one, 'r')
    const before = await stateOf(one.log, 'r')
    expect(before.run).toMatchObject({ owner: one.nodeId, epoch: 1, state: 'live' })
    for (const { log, nodeId } of [other, one]) {
      expect(await refusalOf(log.acquire('r', nodeId))).toBe('run-owned')
      expect(await refusalOf(log.acquire('r', nodeId, 7))).toBe('run-owned')
    }
    expect(await stateOf(other.log, 'r')).toStrictEqual(before)
  })

  promise(bench, 'gives a run to another node once its owner has left', async ({ one, heir }) => {
    for (const id of ['r', 's']) await ownRun(one, id)
    await one.log.leave(one.nodeId)
    const { log, nodeId } = await heir()
    for (const id of ['r', 's']) {
      expect(await log.acquire(id, nodeId)).toMatchObject({ owner: nodeId, epoch: 2, state: 'live' })
      expect(await refusalOf(log.acquire(id, nodeId))).toBe('run-owned')
    }
  })

  promise(bench, 'never revives a node that has left', async ({ one, heir }) => {
    await one.log.createRun(newRun('r'))
    await one.log.leave(one.nodeId)
    const { log } = await heir()
    await join(log)
    for (const nodeId of [one.nodeId, 'nobody', '']) {
      await log.leave(nodeId)
      expect(await refusalOf(log.acquire('r', nodeId))).toBe('unknown-node')
      const created = log.createRun(newRun('new', { threadId: 'new', owner: nodeId }))
      expect(await refusalOf(created)).toBe('unknown-node')
    }
    expect(await runAt(log, 'r')).toMatchObject({ epoch: 0, state: 'live' })
    expect([await log.run('new'), await log.thread('new')]).toEqual([undefined, undefined])
  })

  promise(bench, 'refuses a writer of another epoch, and changes nothing', async ({ one, heir }) => {
    await ownRun(one, 'r')
    const stored = { inputs: [record('one')], events: [start, delta('a')] }
    await one.log.append('r', { epoch: 1, afterSeq: 0 }, stored)
    await one.log.tell('r', { command: { type: 'stop' } })
    await one.log.leave(one.nodeId)
    const { log, nodeId } = await heir()
    await log.acquire('r', nodeId)
    const before = await stateOf(log, 'r')
    const settle = [{ number: 1, result: { state: 'applied', seq: 3 } }] as const
    const last = { inputs: [record('two')], events: [end], settle, followUp: newRun('next') }
    for (const epoch of [0, 1, 3, -1]) {
      expect(await refusalOf(one.log.append('r', { epoch, afterSeq: 2 }, last))).toBe('stale-owner')
      expect(await refusalOf(one.log.append('r', { epoch, afterSeq: 0 }, stored))).toBe('stale-owner')
      expect(await refusalOf(one.log.release('r', epoch))).toBe('stale-owner')
      expect(await refusalOf(one.log.release('r', epoch, 0))).toBe('stale-owner')
    }
    expect(await stateOf(log, 'r')).toStrictEqual(before)
    await log.append('r', { epoch: 2, afterSeq: 2 }, last)
    expect(await log.run('r')).toMatchObject({ seq: 3, state: 'ended', epoch: 2 })
  })

  promise(bench, 'returns an ended run to a node that would acquire it, as it is', async ({ one, other }) => {
    await ownRun(one, 'r')
    await add(one.log, 'r', start, end)
    const before = await stateOf(one.log, 'r')
    expect('owner' in before.run).toBe(false)
    expect(await other.log.acquire('r', other.nodeId)).toStrictEqual(before.run)
    expect(await other.log.acquire('r', other.nodeId, 9)).toStrictEqual(before.run)
    await other.log.release('r', 1)
    await other.log.release('r', 1, 5)
    expect(await stateOf(other.log, 'r')).toStrictEqual(before)
  })

  promise(bench, 'stores a higher attempt, and refuses a lower one', async ({ one, other }) => {
    await one.log.createRun(newRun('r', { attempt: 3 }))
    expect(await refusalOf(one.log.acquire('r', one.nodeId, 2))).toBe('stale-attempt')
    expect(await runAt(one.log, 'r')).toMatchObject({ attempt: 3, epoch: 0 })
    const attempts = [3, 5, undefined, 5]
    for (const [index, attempt] of attempts.entries()) {
      const { log, nodeId } = index % 2 === 0 ? one : other
      expect((await log.acquire('r', nodeId, attempt)).attempt).toBe(index === 0 ? 3 : 5)
      await log.release('r', index + 1)
    }
    expect(await refusalOf(other.log.acquire('r', other.nodeId, 4))).toBe('stale-attempt')
    expect(await runAt(one.log, 'r')).toMatchObject({ attempt: 5, epoch: 4 })
  })

  promise(bench, 'lets a released run wait for the given time, or without a limit', async ({ one, other, clock }) => {
    const run = await ownRun(one, 'r')
    const { owner: _owner, ...released } = { ...run, state: 'waiting' }
    await one.log.release('r', 1, 50)
    expect(await other.log.run('r')).toStrictEqual({ ...released, waitUntil: 1_050 })
    clock.now = 1_200
    await one.log.release('r', 1, 0)
    expect(await other.log.run('r')).toStrictEqual({ ...released, waitUntil: 1_200 })
    const owned = { ...run, owner: other.nodeId, epoch: 2 }
    expect(await other.log.acquire('r', other.nodeId)).toStrictEqual(owned)
    expect(await one.log.run('r')).toStrictEqual(owned)
    await other.log.release('r', 2, 50)
    await other.log.release('r', 2)
    // Its thread stays where it is in the list.
    expect((await other.log.thread('thread'))?.updatedAt).toBe(1_000)
    expect(await one.log.run('r')).toStrictEqual({ ...released, epoch: 2 })
  })

  promise(bench, 'takes owner and wait off a run with its end', async ({ one, other }) => {
    await ownRun(one, 'owned')
    await ownRun(one, 'waiting')
    await one.log.release('waiting', 1, 50)
    for (const id of ['owned', 'waiting']) {
      await add(other.log, id, start, end)
      const run = await runAt(one.log, id)
      expect([run.state, run.epoch, 'owner' in run, 'waitUntil' in run]).toEqual(['ended', 1, false, false])
    }
  })

  promise(bench, 'lists exactly the runs that a node must acquire', async ({ one, other, heir, clock }) => {
    const { log } = one
    for (const id of ['left', 'short', 'long', 'unlimited', 'ended', 'first', 'ended by a wait']) await ownRun(one, id)
    await log.createRun(newRun('not begun'))
    await log.append('first', { epoch: 1, afterSeq: 0 }, { inputs: [], events: [end], followUp: newRun('queued') })
    await log.release('short', 1, 10)
    await log.release('long', 1, 11)
    await log.release('unlimited', 1)
    await log.release('ended by a wait', 1, 1)
    for (const id of ['ended', 'ended by a wait']) await add(log, id, start, end)
    const expired = async (by: Log) => idsOf(await by.expired())
    expect(await expired(other.log)).toEqual(['not begun', 'queued'])
    clock.now = 1_009
    expect(await expired(other.log)).toEqual(['not begun', 'queued'])
    clock.now = 1_010
    expect(await expired(other.log)).toEqual(['short', 'not begun', 'queued'])
    clock.now = 1_011
    expect(await expired(other.log)).toEqual(['short', 'long', 'not begun', 'queued'])
    await log.leave(one.nodeId)
    const next = await heir()
    await ownRun(next, 'owned')
    const ids = ['left', 'short', 'long', 'not begun', 'queued']
    expect(await next.log.expired()).toStrictEqual(await Promise.all(ids.map((id) => next.log.run(id))))
    for (const id of ids) await next.log.acquire(id, next.nodeId)
    expect(await next.log.expired()).toEqual([])
  })

  it('gives every node an id of its own', async () => {
    const log = await bench.open()
    const first = await Promise.all(upFrom(1, NODES).map(() => log.join()))
    for (const nodeId of first) await log.leave(nodeId)
    const second = await Promise.all(upFrom(1, NODES).map(() => log.join()))
    expect(new Set([...first, ...second]).size).toBe(2 * NODES)
  })

  it(`gives a run to exactly one of ${NODES} nodes that acquire it at once`, async () => {
    const log = await bench.open()
    const first = await join(log)
    await log.createRun(newRun('unowned'))
    await ownRun(first, 'left')
    await log.leave(first.nodeId)
    const nodes = await Promise.all(upFrom(1, NODES).map(() => log.join()))
    for (const [runId, epoch] of Object.entries({ unowned: 1, left: 2 })) {
      const outcomes = await Promise.all(nodes.map((nodeId) => refusalOf(log.acquire(runId, nodeId))))
      const winners = nodes.filter((_, index) => outcomes[index] === 'not refused')
      expect(outcomes.filter((outcome) => outcome === 'run-owned')).toHaveLength(NODES - 1)
      expect(await log.run(runId)).toMatchObject({ epoch, owner: winners[0] })
    }
  })

  it('never lists a run whose owner has a lease, while nodes come and go', async () => {
    const log = await bench.open()
    let isOver = false
    const listed: string[] = []
    const look = async () => {
      while (!isOver) {
        listed.push(...idsOf(await log.expired()))
        await new Promise(setImmediate)
      }
    }
    const looking = look()
    for (const n of upFrom(1, 60)) {
      const writer = await join(log)
      await ownRun(writer, `run ${n}`)
      await add(log, `run ${n}`, end)
      await log.leave(writer.nodeId)
    }
    isOver = true
    await looking
    expect(listed).toEqual([])
  })
}
