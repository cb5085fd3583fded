import type { Entry } from '../entry.ts'
import type { Mutable } from './draft.ts'

/** Dates entries on one clock for the whole run, so that no duration is measured between two clocks. */
export interface RunClock {
  /** The entry with its time on the run's clock as `at`. It is valid until the next call: no reducer keeps it. */
  dated(entry: Entry): Entry
  /** The same clock, for another fold of the same entries. */
  fork(onFrameworkClock: (time: number) => void): RunClock
}

/** The last time that the framework sent, and the log's time of that entry. */
interface Anchor {
  readonly sentAt: number
  readonly at: number
}

/**
 * The log's clock, until an entry carries a time of the framework. From then on it is the framework's clock: an entry
 * without such a time keeps its distance in the log from the last entry with one. `onFrameworkClock` is called with the
 * first such time, before its entry is dated: earlier entries must not be later than it.
 */
export function createRunClock(onFrameworkClock: (time: number) => void, before?: Anchor): RunClock {
  let isFrameworkClock = before !== undefined
  const anchor = { sentAt: 0, at: 0, ...before }
  /** One object for all entries: a copy of each would cost more than folding it. */
  const reused: Mutable<Entry> = { seq: 0, at: 0, event: { type: 'run-start' }, rawThrough: 0 }

  function timeOf({ at, event: { sentAt } }: Entry): number {
    if (sentAt === undefined) return isFrameworkClock ? anchor.sentAt + (at - anchor.at) : at
    if (!isFrameworkClock) onFrameworkClock(sentAt)
    isFrameworkClock = true
    anchor.sentAt = sentAt
    anchor.at = at
    return sentAt
  }

  return {
    dated(entry) {
      const at = timeOf(entry)
      if (at === entry.at) return entry
      if (entry.by !== undefined) return { ...entry, at }
      reused.seq = entry.seq
      reused.at = at
      reused.event = entry.event
      reused.rawThrough = entry.rawThrough
      return reused
    },
    fork: (onLater) => createRunClock(onLater, isFrameworkClock ? { ...anchor } : undefined),
  }
}
