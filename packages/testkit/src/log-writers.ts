import type { Log, StoredRun } from '@millrace/server/log'
import { type LogBench, newRun } from './log-bench.ts'
import { it } from './runner.ts'

/** One of the nodes that use a log. */
export interface Writer {
  readonly log: Log
  readonly nodeId: string
}

/** Two writers of one store; they may be the same one. */
export interface Writers {
  readonly one: Writer
  readonly other: Writer
  /** A writer with a lease after `one` has left. */
  heir(): Promise<Writer>
  /** The log's clock. */
  readonly clock: { now: number }
}

export const join = async (log: Log): Promise<Writer> => ({ log, nodeId: await log.join() })

type Setting = (one: Writer, bench: LogBench, now: () => number) => Promise<Writer>

const settings: { readonly [name: string]: Setting } = {
  'one writer': async (one) => one,
  'two writers': async ({ log }, bench, now) => join(bench.member.isShared ? await bench.openBeside(log, now) : log),
}

/** Two tests of a promise: one node does everything, or two nodes do it in turn; those of a shared store with a log each. */
export function promise(bench: LogBench, name: string, body: (writers: Writers) => Promise<void>): void {
  for (const [setting, otherThan] of Object.entries(settings)) {
    it(`${name}, with ${setting}`, async () => {
      const clock = { now: 1_000 }
      const now = () => clock.now
      const one = await join(await bench.open(now))
      const other = await otherThan(one, bench, now)
      await body({ one, other, clock, heir: async () => (one === other ? join(one.log) : other) })
    })
  }
}

/** Creates a run that this writer owns, in epoch 1. */
export async function ownRun({ log, nodeId }: Writer, id: string, threadId = 'thread'): Promise<StoredRun> {
  return (await log.createRun(newRun(id, { threadId, owner: nodeId }))).run
}

/** The run; throws if there is none. */
export async function runAt(log: Log, runId: string): Promise<StoredRun> {
  const run = await log.run(runId)
  if (run === undefined) throw new Error(`There is no run "${runId}".`)
  return run
}

export const idsOf = (runs: readonly StoredRun[]): readonly string[] => runs.map(({ id }) => id)
