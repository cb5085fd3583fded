import { describe, expect, it } from 'vitest'
import { foldLaws, type Run } from './fold-laws.ts'
import { type Effort, entriesIn, thorough, violationsOf } from './law.ts'

/** Tests the promises of the fold over these runs. */
export function foldSuite(name: string, runs: readonly Run[], effort: Effort = thorough): void {
  describe(`fold: ${name}`, () => {
    it('has runs to fold', () => expect(runs.length).toBeGreaterThan(0))
    for (const law of foldLaws) it(law.promise, () => expect(violationsOf(law, runs, effort, entriesIn)).toEqual([]))
  })
}
