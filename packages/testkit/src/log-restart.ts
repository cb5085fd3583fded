import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Log } from '@millrace/server/log'
import { expect } from './expectation.ts'
import { twoNodes } from './log-acts.ts'
import {
  add,
  appendTo,
  delta,
  end,
  filledRun,
  inputsOf,
  type LogBench,
  newRun,
  readAll,
  refusalOf,
  start,
  upFrom,
} from './log-bench.ts'
import { childEvent, childRecord, childRuns } from './log-child-data.ts'
import { idsOf } from './log-writers.ts'
import type { MemberLocation } from './member-location.ts'
import { it } from './runner.ts'
import { createRandom } from './seeded.ts'

/** `npm run faults` kills a server on a log many times more. */
const ROUNDS = 5

/** Beside this module: JavaScript in a package, TypeScript in the repository. */
const CHILD = import.meta.url.endsWith('.ts')
  ? new URL('./log-child.ts', import.meta.url)
  : new URL('./log-child.js', import.meta.url)

/** The promises of a durable log about a restart, orderly or not. */
export function restartPromises(bench: LogBench, location: MemberLocation): void {
  it('survives a restart', async () => {
    const log = await bench.open(() => 5000)
    await filledRun(log, 'ended', 20)
    await filledRun(log, 'packed', 20)
    await log.pack('packed')
    await filledRun(log, 'open', 9, true)
    await log.renameThread('thread', 'Kept')
    const contentsOf = async (of: Log) => ({
      threads: await of.threads({}),
      runs: await of.runs('thread'),
      open: await of.openRuns(),
      entries: await Promise.all(['ended', 'packed', 'open'].map((id) => readAll(of, id))),
      inputs: await Promise.all(['ended', 'packed', 'open'].map((id) => inputsOf(of, id))),
    })
    const before = await contentsOf(log)
    const again = await bench.reopen(log, () => 10)
    expect(await contentsOf(again)).toEqual(before)
    const [entry] = await add(again, 'open', delta('afterwards'))
    expect(entry).toMatchObject({ seq: 10, at: 5000, rawThrough: 10 })
  })

  it('recognises an append whose response was lost in a crash, attempts and keys, also after a restart', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r', { idempotencyKey: 'k' }))
    await log.acquire('r', await log.join(), 3)
    const lost = { inputs: [], events: [start, delta('a')] }
    const first = await appendTo(log, 'r', { epoch: 1, afterSeq: 0 }, lost)
    const again = await bench.reopen(log)
    expect(await appendTo(again, 'r', { epoch: 1, afterSeq: 0 }, lost)).toEqual(first)
    expect(await readAll(again, 'r')).toEqual(first)
    const stale = again.append('r', { epoch: 0, afterSeq: 2 }, { inputs: [], events: [end] })
    expect(await refusalOf(stale)).toBe('stale-owner')
    expect(await refusalOf(again.acquire('r', await again.join(), 2))).toBe('stale-attempt')
    expect((await again.createRun(newRun('other', { idempotencyKey: 'k' }))).run.id).toBe('r')
  })

  it('has ended all leases after a restart, and kept epochs, waits and commands', async () => {
    const log = await bench.open(() => 1_000)
    const [owner, other] = await twoNodes(log)
    await log.createRun(newRun('owned', { owner }))
    await log.createRun(newRun('ended', { owner }))
    await log.createRun(newRun('waiting', { owner: other }))
    await log.setFollowing('owned', owner, true)
    const asked = await log.tell('owned', { command: { type: 'stop' }, key: 'k' })
    const settle = [{ number: 1, result: { state: 'applied', seq: 1 } }] as const
    await log.append('owned', { epoch: 1, afterSeq: 0 }, { inputs: [], events: [start], settle })
    await log.tell('owned', { command: { type: 'take-over', attempt: 2 } })
    await log.release('waiting', 1, 20)
    const last = { inputs: [], events: [end], followUp: newRun('queued') }
    await log.append('ended', { epoch: 1, afterSeq: 0 }, last)
    const stored = async (of: Log) => [await of.runs('thread'), await of.commands('owned', { after: 0 })]
    const before = await stored(log)
    const again = await bench.reopen(log, () => 1_019)
    expect(await stored(again)).toStrictEqual(before)
    expect(idsOf(await again.expired())).toEqual(['owned', 'queued'])
    expect(await again.isFollowed('owned')).toBe(false)
    expect(await refusalOf(again.acquire('owned', owner))).toBe('unknown-node')
    const [next] = await twoNodes(again)
    expect([owner, other].includes(next)).toBe(false)
    expect(await again.acquire('owned', next)).toMatchObject({ owner: next, epoch: 2 })
    expect(await again.tell('owned', { command: { type: 'stop' }, key: 'k' })).toEqual({ ...asked, ...settle[0] })
    expect((await again.tell('owned', { command: { type: 'stop' } })).number).toBe(3)
    const latest = await bench.reopen(again, () => 1_020)
    expect(idsOf(await latest.expired())).toEqual(['owned', 'waiting', 'queued'])
  })

  it(`has all acknowledged entries, and none twice, after its process was killed ${ROUNDS} times`, async () => {
    const folder = await bench.folder()
    const random = createRandom(97)
    const acknowledged = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      await killAfter(1 + Math.floor(random() * 60), folder, location, acknowledged)
      const log = await bench.openIn(folder)
      for (const runId of childRuns) await checkRun(log, runId, acknowledged.get(runId) ?? 0)
      await log.close()
    }
    expect([...acknowledged.values()].every((seq) => seq > ROUNDS)).toBe(true)
  }, 240_000)
}

/** Starts a process that appends endlessly, and kills it after `answers` acknowledgements, which it notes. */
async function killAfter(
  answers: number,
  folder: string,
  { module, name }: MemberLocation,
  acknowledged: Map<string, number>,
): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(CHILD), module, name, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let seen = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [runId = '', seq = ''] = line.split(' ')
    acknowledged.set(runId, Number(seq))
    if (++seen === answers) child.kill('SIGKILL')
  }
  const [, signal] = await closed
  expect(signal).toBe('SIGKILL')
}

/** Every entry and record contains its own position, so that a lost, doubled or misplaced one is found. */
async function checkRun(log: Log, runId: string, acknowledged: number): Promise<void> {
  const run = await log.run(runId)
  if (run === undefined) return expect(acknowledged).toBe(0)
  const entries = await readAll(log, runId)
  expect(entries.length >= acknowledged, `has all ${acknowledged} acknowledged entries`).toBe(true)
  expect(run.seq).toBe(entries.length)
  expect(entries.map(({ seq, event }) => ({ seq, event }))).toEqual(
    upFrom(1, entries.length).map((seq) => ({ seq, event: childEvent(runId, seq) })),
  )
  expect(await inputsOf(log, runId)).toEqual(upFrom(1, run.rawRecords).map((nth) => childRecord(runId, nth)))
  // Two events per record, in one append: neither exists without the other.
  expect(run.seq).toBe(run.rawRecords * 2)
}
