import type { Entry } from '../entry.ts'

/** Dates entries on one clock for the whole run, so that no duration is taken between two clocks. */
export interface RunClock {
  /** The entry with its time on the run's clock as `at`. */
  dated(entry: Entry): Entry
}

/** A time that the framework sent, and when the log had it. */
interface Anchor {
  readonly sentAt: number
  readonly at: number
}

/**
 * The log's clock, until an entry carries a time of the framework's own. From then on it is the framework's: an entry
 * without such a time is as far from the last one with it as the log has them apart. `onFrameworkClock` is called with the
 * first such time, before its entry: what was dated earlier must not lie behind it.
 */
export function createRunClock(onFrameworkClock: (time: number) => void): RunClock {
  let anchor: Anchor | undefined

  function timeOf({ at, event: { sentAt } }: Entry): number {
    if (sentAt === undefined) return anchor === undefined ? at : anchor.sentAt + (at - anchor.at)
    if (anchor === undefined) onFrameworkClock(sentAt)
    anchor = { sentAt, at }
    return sentAt
  }

  return {
    dated(entry) {
      const at = timeOf(entry)
      return at === entry.at ? entry : { ...entry, at }
    },
  }
}
