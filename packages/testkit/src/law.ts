/** What one check found: a problem in words, or nothing. */
export type Verdict = string | undefined

/** How much is tried. */
export interface Effort {
  readonly seed: number
  /** Prefixes of a recording or a run; all where there are fewer. */
  readonly prefixes: number
  /** Mangled variants of a recording. */
  readonly mangled: number
  readonly twoWayCuts: number
  readonly partitions: number
  readonly dripUpTo: number
  /** The length of a hostile text. */
  readonly hostileText: number
}

/** For fixtures, which are small: nearly everything. */
export const thorough: Effort = {
  seed: 1,
  prefixes: 400,
  mangled: 60,
  twoWayCuts: 40,
  partitions: 8,
  dripUpTo: 12_000,
  hostileText: 1024 * 1024,
}

/** For many or large recordings. */
export const brief: Effort = {
  seed: 7,
  prefixes: 32,
  mangled: 8,
  twoWayCuts: 16,
  partitions: 2,
  dripUpTo: 4_000,
  hostileText: 32 * 1024,
}

/** A promise, and the checks that would break it: one verdict each, so that they can be counted. */
export interface Law<Case> {
  /** In the present tense: it is a test's name. */
  readonly promise: string
  check(testCase: Case, effort: Effort): Iterable<Verdict>
}

/** Up to this length everything is tried. */
const SHORT = 48
const AT_LEAST = 6

/**
 * As much as a recording of so many records allows: each try reads all of it, so that the work would grow with the square
 * of its length. `npm run laws` tries everything.
 */
export function effortFor(effort: Effort, length: number): Effort {
  const share = Math.min(1, SHORT / Math.max(1, length))
  const scaled = (count: number) => Math.min(count, Math.max(AT_LEAST, Math.ceil(count * share)))
  return {
    ...effort,
    prefixes: scaled(effort.prefixes),
    mangled: scaled(effort.mangled),
    twoWayCuts: scaled(effort.twoWayCuts),
    partitions: scaled(effort.partitions),
  }
}

/** How long a run is. */
export const entriesIn = ({ entries }: { readonly entries: readonly unknown[] }): number => entries.length

const SHOWN = 5

/** The problems that a law finds, the first few, each with the name of the case. `lengthOf` counts records or entries. */
export function violationsOf<Case extends { readonly name: string }>(
  law: Law<Case>,
  cases: readonly Case[],
  effort: Effort,
  lengthOf: (testCase: Case) => number,
): string[] {
  const problems: string[] = []
  for (const testCase of cases) {
    for (const verdict of law.check(testCase, effortFor(effort, lengthOf(testCase)))) {
      if (verdict !== undefined) problems.push(`${testCase.name}: ${verdict}`)
      if (problems.length === SHOWN) return problems
    }
  }
  return problems
}
