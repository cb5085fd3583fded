import { durationBetween } from './blocks.ts'
import type { RunTotals } from './shapes.ts'

/** A recording without a clock is read at once, which takes less: its duration means nothing. */
const SHORTEST_MS = 1_000

/** How long a run took, in ms: by its own clock, or as its agent reports it. Undefined if neither is known. */
export function runDurationOf({ startedAt, endedAt, usage }: RunTotals): number | undefined {
  const own = startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt
  return longerOf(own === undefined || own < SHORTEST_MS ? undefined : own, usage?.durationMs)
}

/** The same for a part of a run, which may be short. */
export function partDurationOf({ startedAt = 0, endedAt, usage }: RunTotals): number | undefined {
  return longerOf(durationBetween(startedAt, endedAt), usage?.durationMs)
}

/** A recording that is read later than it was made has a clock that is too short: no run takes less than it reports. */
function longerOf(own: number | undefined, reported: number | undefined): number | undefined {
  if (own === undefined || reported === undefined) return own ?? reported
  return Math.max(own, reported)
}
