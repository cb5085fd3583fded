import { type Spans, TIME_KINDS, type TimeKind, timeSums } from '@millrace/core/spans'

export interface Spent {
  readonly kind: TimeKind
  readonly ms: number
  /** Rounded to tenths of a second so that all of them add up to the rounded wall time. */
  readonly tenths: number
}

/** Where the wall time of a run went, the longest first. */
export function spentOf(times: Spans): readonly Spent[] {
  const sums = timeSums(times)
  const kinds = TIME_KINDS.filter((kind) => sums[kind] > 0)
  const total = Math.round((times.endedAt - times.startedAt) / 100)
  const floors = kinds.map((kind) => Math.floor(sums[kind] / 100))
  const missing = total - floors.reduce((sum, each) => sum + each, 0)
  // What is missing goes to those that rounding down has cost the most.
  const owed = kinds
    .map((kind, index) => ({ index, rest: sums[kind] / 100 - (floors[index] ?? 0) }))
    .sort((one, other) => other.rest - one.rest)
    .slice(0, Math.max(0, missing))
  const up = new Set(owed.map(({ index }) => index))
  return kinds
    .map((kind, index) => ({ kind, ms: sums[kind], tenths: (floors[index] ?? 0) + (up.has(index) ? 1 : 0) }))
    .sort((one, other) => other.ms - one.ms)
}
