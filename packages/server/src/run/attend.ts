import type { Log } from '../log/log.ts'
import { type LiveRun, perform } from './live-run.ts'
import { isLost } from './node.ts'
import { FIRST_PAUSE } from './retry-pauses.ts'
import type { Sleep } from './runs.ts'

export interface AttendOptions {
  readonly log: Log
  readonly live: LiveRun
  readonly sleep: Sleep
  /** Called with an error of the log. The command is tried again. */
  readonly report: (error: unknown) => void
}

export interface Attendance {
  /** Resolves when nothing is being done any more. */
  stop(): Promise<void>
}

/**
 * Does what is asked of a run, one command after another, in the order in which it was asked, until it is stopped. A
 * hint that comes during a look leads to another look.
 */
export function attend({ log, live, sleep, report }: AttendOptions): Attendance {
  const { run } = live.owner
  const stopped = new AbortController()
  let last = 0
  let looking: Promise<void> | undefined
  let isDue = false

  async function look(): Promise<void> {
    // The end of the run settles what nobody has done.
    while (isDue && !stopped.signal.aborted && !live.owner.isEnded()) {
      isDue = false
      try {
        last = await performAll(log, live, last)
      } catch (error) {
        if (isLost(error) || live.owner.hasFailed()) break
        report(error)
        isDue = true
        // Rejects when it is stopped.
        await sleep(FIRST_PAUSE, stopped.signal).catch(() => undefined)
      }
    }
    // In one step with the last test: a hint that comes now begins another look.
    looking = undefined
  }

  function hint(): void {
    isDue = true
    looking ??= look()
  }

  const unwatch = log.watch({ runId: run.id }, hint)
  hint()
  return {
    async stop() {
      unwatch()
      stopped.abort()
      await looking
    },
  }
}

/** Does everything that has been asked of the run since a command. Resolves with the number of the last. */
export async function performAll(log: Log, live: LiveRun, after: number): Promise<number> {
  let last = after
  for (const { number, command, by } of await log.commands(live.owner.run.id, { after, isOpen: true })) {
    await perform(live, command, { number, by })
    last = number
  }
  return last
}
