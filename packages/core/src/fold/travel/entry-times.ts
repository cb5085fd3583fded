import type { Entry } from '../../entry.ts'
import { createRunClock } from '../run-clock.ts'

/** When each entry of a run was made, on the run's clock. A time is never earlier than the one before it. */
export interface EntryTimes {
  /** Applies entries in order. An entry that was already applied is ignored. */
  push(entries: readonly Entry[]): void
  /** The time of entry 1 first. The same array for ever, which grows at its end. */
  times(): readonly number[]
}

export function createEntryTimes(): EntryTimes {
  const times: number[] = []
  const clock = createRunClock((latest) => {
    for (let index = times.length - 1; index >= 0 && (times[index] as number) > latest; index--) times[index] = latest
  })
  return {
    push(entries) {
      for (const entry of entries) {
        if (entry.seq !== times.length + 1) continue
        const { at } = clock.dated(entry)
        times.push(Math.max(at, times.at(-1) ?? at))
      }
    },
    times: () => times,
  }
}

/** The last entry that was made by a time; 0: none. */
export function entryAt(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) <= time) low = middle + 1
    else high = middle
  }
  return low
}
