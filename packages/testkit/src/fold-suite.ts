import { expectNone } from './expectation.ts'
import { foldLaws, type Run } from './fold-laws.ts'
import { type Effort, entriesIn, thorough, violationsOf } from './law.ts'
import { describe, it } from './runner.ts'

/** Tests the promises of the fold over these runs. */
export function foldSuite(name: string, runs: readonly Run[], effort: Effort = thorough): void {
  describe(`fold: ${name}`, () => {
    it('has runs to fold', () => expectNone(runs.length === 0 ? ['it has no run'] : []))
    for (const law of foldLaws) it(law.promise, () => expectNone(violationsOf(law, runs, effort, entriesIn)))
  })
}
