/** The result of one check: a problem as a sentence, or undefined. */
export type Verdict = string | undefined

/** The number of cases to try. */
export interface Effort {
  readonly seed: number
  /** Prefixes of a recording or a run; all if there are fewer. */
  readonly prefixes: number
  /** Prefixes of a run that the wire's own client plays, beside the whole run: a client takes far longer than a law. */
  readonly clientCuts: number
  /** Mangled variants of a recording. */
  readonly mangled: number
  readonly twoWayCuts: number
  readonly partitions: number
  readonly dripUpTo: number
  /** The length of a hostile text. */
  readonly hostileText: number
}

/** For fixtures, which are small: nearly all cases. */
export const thorough: Effort = {
  seed: 1,
  prefixes: 400,
  clientCuts: 6,
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
  clientCuts: 2,
  mangled: 8,
  twoWayCuts: 16,
  partitions: 2,
  dripUpTo: 4_000,
  hostileText: 32 * 1024,
}

/** A promise, and the checks that may disprove it: one verdict per check, so that they can be counted. */
export interface Law<Case> {
  /** In the present tense: it is the name of a test. */
  readonly promise: string
  check(testCase: Case, effort: Effort): Iterable<Verdict>
}

/** Up to this length all cases are tried. */
const SHORT = 48
const AT_LEAST = 6

/**
 * The effort for a recording of this length. Each case reads the whole recording, so that the work would grow with the
 * square of its length. `npm run laws` tries all cases.
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

/** The length of a run. */
export const entriesIn = ({ entries }: { readonly entries: readonly unknown[] }): number => entries.length

const SHOWN = 5

/** The first few problems that a law finds, each with the name of its case. `lengthOf` counts records or entries. */
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
