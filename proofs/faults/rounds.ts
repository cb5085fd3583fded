import type { Fault, Played, Rounds, Tally } from './fault.ts'

/** Rounds that were played on one store. */
export interface Part extends Played {
  readonly seed: number
  readonly count: number
  readonly seconds: number
}

/** The fault whose rounds these are. */
export function inRounds(fault: Pick<Fault, 'name' | 'promise' | 'sizes'>, rounds: Rounds): Fault {
  return {
    ...fault,
    rounds,
    async run(size, seed) {
      const { broken, tally } = await rounds.play(size, seed)
      return { broken, ...rounds.summary(size.count, tally) }
    },
  }
}

/** Sums are added, samples are put behind each other. */
export function addedTallies(tallies: readonly Tally[]): Tally {
  const sum: Record<string, number | readonly number[]> = {}
  for (const [name, value] of tallies.flatMap((tally) => Object.entries(tally))) {
    const before = sum[name]
    sum[name] = typeof value === 'number' ? numberOf(before) + value : [...samplesOf(before), ...value]
  }
  return sum
}

export const numberOf = (value: Tally[string] | undefined): number => (typeof value === 'number' ? value : 0)

export const samplesOf = (value: Tally[string] | undefined): readonly number[] =>
  value === undefined || typeof value === 'number' ? [] : value

/** Seeds that follow each other. */
export interface Stretch {
  readonly seed: number
  readonly count: number
}

/** What is left of so many rounds from a seed on, in stretches of `most` at most. */
export function stretchesLeft(whole: Stretch, most: number, played: readonly Stretch[]): readonly Stretch[] {
  const done = new Set(played.flatMap(seedsOf))
  const stretches: { seed: number; count: number }[] = []
  for (const seed of seedsOf(whole)) {
    if (done.has(seed)) continue
    const last = stretches.at(-1)
    if (last !== undefined && last.seed + last.count === seed && last.count < most) last.count++
    else stretches.push({ seed, count: 1 })
  }
  return stretches
}

/** The seeds of parts in any order, as ranges. */
export function rangesOf(parts: readonly Stretch[]): string {
  const ranges: { seed: number; count: number }[] = []
  for (const { seed, count } of parts.toSorted((one, other) => one.seed - other.seed)) {
    const last = ranges.at(-1)
    if (last !== undefined && last.seed + last.count === seed) last.count += count
    else ranges.push({ seed, count })
  }
  return ranges.map(({ seed, count }) => (count === 1 ? `${seed}` : `${seed}–${seed + count - 1}`)).join(', ')
}

const seedsOf = ({ seed, count }: Stretch) => Array.from({ length: count }, (_, nth) => seed + nth)
