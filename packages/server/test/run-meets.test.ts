import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createRunBench, ingestFrom, ingestSome, type RunBench } from './run-bench.ts'
import { until } from './run-parts.ts'

const APPROVED = { state: 'approved' } as const

/** Lets what is queued on a lock run. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

/** The number of the last call of this method that an operation makes, played on a bench of its own. */
async function callNumber(
  method: keyof Log,
  before: (bench: RunBench) => Promise<unknown>,
  act: (bench: RunBench) => Promise<unknown>,
): Promise<number> {
  const bench = await createRunBench()
  await before(bench)
  await act(bench)
  return bench.gate.calls.lastIndexOf(method)
}

describe('the end of a wait that comes while an answer is logged', () => {
  it('does not end the run, which waits anew for its producer', async () => {
    const lost = ({ runs }: RunBench) => ingestSome(runs, 3)
    const answered = ({ runs }: RunBench) => answerApproval(runs, 'r', 'own', APPROVED)
    const bench = await createRunBench()
    const held = bench.gate.hold(await callNumber('append', lost, answered), 'call')
    await lost(bench)
    const answering = answered(bench)
    await held.reached
    bench.sleeper.wakeAll()
    await someTurns()
    held.release()
    expect(await answering).toBe('answered')
    await someTurns()
    expect(await bench.log.run('r')).toMatchObject({ state: 'waiting' })
    await ingestFrom(bench.runs, 3, 1)
    expect(await bench.log.run('r')).toMatchObject({ state: 'ended', outcome: 'success' })
  })
})

describe('a stop that comes while the run of a lost producer is released', () => {
  it('ends it: it does not wait, and is packed', async () => {
    const lost = ({ runs }: RunBench) => ingestSome(runs, 2)
    const bench = await createRunBench()
    const held = bench.gate.hold(await callNumber('release', async () => undefined, lost), 'call')
    const losing = lost(bench)
    await held.reached
    const stopped = stopRun(bench.runs, 'r', 'me')
    // Until it has found that the run still has its owner.
    await someTurns()
    held.release()
    await losing
    expect(await stopped).toBe(true)
    const run = await bench.log.run('r')
    expect(run).toMatchObject({ state: 'ended', outcome: 'cancelled' })
    await until(() => bench.gate.calls.includes('pack'))
    expect(bench.reports).toEqual([])
  })
})
