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
}

/** For fixtures, which are small: nearly everything. */
export const thorough: Effort = {
  seed: 1,
  prefixes: 400,
  mangled: 300,
  twoWayCuts: 200,
  partitions: 10,
  dripUpTo: 20_000,
}

/** For many or large recordings. */
export const brief: Effort = { seed: 7, prefixes: 32, mangled: 8, twoWayCuts: 16, partitions: 2, dripUpTo: 4_000 }

/** A promise, and the checks that would break it: one verdict each, so that they can be counted. */
export interface Law<Case> {
  /** In the present tense: it is a test's name. */
  readonly promise: string
  check(of: Case, effort: Effort): Iterable<Verdict>
}

const SHOWN = 5

/** The problems that a law finds, the first few, each with the name of the case. */
export function broken<Case extends { readonly name: string }>(
  law: Law<Case>,
  cases: readonly Case[],
  effort: Effort,
): string[] {
  const problems: string[] = []
  for (const of of cases) {
    for (const verdict of law.check(of, effort)) {
      if (verdict !== undefined) problems.push(`${of.name}: ${verdict}`)
      if (problems.length === SHOWN) return problems
    }
  }
  return problems
}
