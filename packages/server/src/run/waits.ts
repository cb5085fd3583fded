import type { RunStates } from './run-states.ts'
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
  readonly states: RunStates
  /** Nobody came. Never rejects. */
  readonly expire: (runId: string) => Promise<void>
}

export function createWaits({ resumeWithin, sleep, now, states, expire }: WaitsOptions): Waits {
  const waits = new Map<string, AbortController>()
  let isClosed = false

  function cancel(runId: string): void {
    waits.get(runId)?.abort()
    waits.delete(runId)
    states.clear(runId)
  }

  return {
    begin(runId) {
      cancel(runId)
      if (isClosed) return
      const wait = new AbortController()
      waits.set(runId, wait)
      states.set(runId, { state: 'waiting', waitUntil: now() + resumeWithin })
      sleep(resumeWithin, wait.signal).then(
        () => {
          if (waits.get(runId) !== wait) return
          waits.delete(runId)
          states.set(runId, { state: 'waiting' })
          return expire(runId)
        },
        () => undefined,
      )
    },
    cancel,
    close() {
      isClosed = true
      for (const runId of [...waits.keys()]) cancel(runId)
    },
  }
}
