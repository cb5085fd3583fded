import type { Entry } from '../entry.ts'

/** Dates entries on one clock for the whole run, so that no duration is taken between two clocks. */
export interface RunClock {
  /** The entry with its time on the run's clock as `at`. */
  dated(entry: Entry): Entry
  /** The time of the first entry; undefined before it. */
  startedAt(): number | undefined
  /** The latest time so far; undefined before the first entry. */
  latest(): number | undefined
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
  let startedAt: number | undefined
  let latest: number | undefined

  function begin(sentAt: number): void {
    if (startedAt !== undefined) startedAt = Math.min(startedAt, sentAt)
    if (latest !== undefined) latest = Math.min(latest, sentAt)
    onFrameworkClock(sentAt)
  }

  function timeOf({ at, event: { sentAt } }: Entry): number {
    if (sentAt === undefined) return anchor === undefined ? at : anchor.sentAt + (at - anchor.at)
    if (anchor === undefined) begin(sentAt)
    anchor = { sentAt, at }
    return sentAt
  }

  return {
    dated(entry) {
      const at = timeOf(entry)
      startedAt ??= at
      latest = Math.max(latest ?? at, at)
      return at === entry.at ? entry : { ...entry, at }
    },
    startedAt: () => startedAt,
    latest: () => latest,
  }
}
