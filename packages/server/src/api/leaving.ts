import type { Timing } from '../deliver/pacer.ts'
import type { Log } from '../log/log.ts'
import { stopRun } from '../run/ask.ts'
import type { Runs } from '../run/runs.ts'

/** Stops runs whose viewers have left, if the request that started them asked for it. */
export interface Leaving {
  /** From now on the run is stopped when its thread has had no viewer for the grace time. */
  stops(threadId: string, runId: string): void
  /** A viewer of the thread has come (1) or left (-1), on any wire. */
  onViewers(threadId: string, change: 1 | -1): void
  close(): void
}

export interface LeavingOptions {
  readonly log: Log
  readonly runs: Pick<Runs, 'tell' | 'isAsking'>
  readonly delay: Timing['delay']
  /** How long a thread may have no viewer, in ms: a page that is loaded again comes back. */
  readonly leaveWithin: number
  report(error: unknown): void
}

export function createLeaving({ log, runs, delay, leaveWithin, report }: LeavingOptions): Leaving {
  const viewers = new Map<string, number>()
  const runsByThread = new Map<string, Set<string>>()
  const timers = new Map<string, () => void>()

  function cancel(threadId: string): void {
    timers.get(threadId)?.()
    timers.delete(threadId)
  }

  function wait(threadId: string): void {
    if (viewers.has(threadId) || !runsByThread.has(threadId) || timers.has(threadId)) return
    const stop = () => stopLeft(threadId).catch(report)
    timers.set(threadId, delay(leaveWithin, stop))
  }

  async function stopLeft(threadId: string): Promise<void> {
    const left = runsByThread.get(threadId) ?? []
    timers.delete(threadId)
    runsByThread.delete(threadId)
    for (const runId of left) {
      const run = await log.run(runId)
      // A run that asks has ended its response: its viewers have not left, they think.
      if (run === undefined || run.state === 'ended' || (await runs.isAsking(run))) continue
      await stopRun(runs, runId, 'left')
    }
  }

  return {
    stops(threadId, runId) {
      runsByThread.set(threadId, (runsByThread.get(threadId) ?? new Set()).add(runId))
      wait(threadId)
    },
    onViewers(threadId, change) {
      const count = (viewers.get(threadId) ?? 0) + change
      if (count > 0) viewers.set(threadId, count)
      else viewers.delete(threadId)
      if (count > 0) cancel(threadId)
      else wait(threadId)
    },
    close() {
      for (const threadId of [...timers.keys()]) cancel(threadId)
      runsByThread.clear()
    },
  }
}
