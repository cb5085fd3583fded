import type { RunStatuses } from './run-statuses.ts'
import type { Sleep } from './runs.ts'

/** Runs that wait for their producers, each for a limited time. */
export interface Waits {
  /** Starts to wait; a run that waits already starts again. */
  begin(runId: string): void
  cancel(runId: string): void
  /** Cancels every wait, and starts no other. */
  close(): void
}

export interface WaitsOptions {
  readonly resumeWithin: number
  readonly sleep: Sleep
  readonly now: () => number
  readonly statuses: RunStatuses
  /**
   * Called when no producer came. If it resolves with false, it is called again. Never rejects. The signal fires when
   * the wait is cancelled, which may be while it waits for the run's lock.
   */
  readonly expire: (runId: string, signal: AbortSignal) => Promise<boolean>
}

/** The first and the longest pause before a failed log is tried again, in ms. */
const FIRST_RETRY = 500
const LONGEST_RETRY = 15_000

export function createWaits({ resumeWithin, sleep, now, statuses, expire }: WaitsOptions): Waits {
  const waits = new Map<string, AbortController>()
  let isClosed = false

  function cancel(runId: string): void {
    waits.get(runId)?.abort()
    waits.delete(runId)
    statuses.clear(runId)
  }

  /** Tries until the run is ended: a disk may be full for hours. */
  async function settle(runId: string, wait: AbortController): Promise<void> {
    await sleep(resumeWithin, wait.signal)
    // The wait may have been cancelled at the moment at which it ended.
    if (wait.signal.aborted) return
    statuses.set(runId, { state: 'waiting' })
    for (let pause = FIRST_RETRY; !(await expire(runId, wait.signal)); pause = Math.min(2 * pause, LONGEST_RETRY)) {
      await sleep(pause, wait.signal)
    }
    if (waits.get(runId) === wait) waits.delete(runId)
  }

  return {
    begin(runId) {
      cancel(runId)
      if (isClosed) return
      const wait = new AbortController()
      waits.set(runId, wait)
      statuses.set(runId, { state: 'waiting', waitUntil: now() + resumeWithin })
      // Rejects when the wait is cancelled.
      settle(runId, wait).catch(() => undefined)
    },
    cancel,
    close() {
      isClosed = true
      for (const runId of [...waits.keys()]) cancel(runId)
    },
  }
}
