import type { RunStatuses } from './run-statuses.ts'
import type { Sleep } from './runs.ts'

/** Runs that wait for whoever can go on with them, each for a limited time. */
export interface Waits {
  /** Begins to wait, anew if it did already. */
  begin(runId: string): void
  cancel(runId: string): void
  /** Waits for nobody any more. */
  close(): void
}

export interface WaitsOptions {
  readonly resumeWithin: number
  readonly sleep: Sleep
  readonly now: () => number
  readonly statuses: RunStatuses
  /** Nobody came. Resolves with whether that is settled; if not, it is called again. Never rejects. */
  readonly expire: (runId: string) => Promise<boolean>
}

/** How soon a log that failed is tried again, in ms, and how seldom at last. */
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

  /** A run is left to itself only when it is settled: a disk that is full may be so for hours. */
  async function settle(runId: string, wait: AbortController): Promise<void> {
    await sleep(resumeWithin, wait.signal)
    statuses.set(runId, { state: 'waiting' })
    for (let pause = FIRST_RETRY; !(await expire(runId)); pause = Math.min(2 * pause, LONGEST_RETRY)) {
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
