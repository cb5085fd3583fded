import { describe, expect, it } from 'vitest'
import { foldLaws, type Run } from './fold-laws.ts'
import { broken, type Effort, entriesIn, thorough } from './law.ts'

/** What the fold promises, over these runs. */
export function foldSuite(name: string, runs: readonly Run[], effort: Effort = thorough): void {
  describe(`fold: ${name}`, () => {
    it('has runs to fold', () => expect(runs.length).toBeGreaterThan(0))
    for (const law of foldLaws) it(law.promise, () => expect(broken(law, runs, effort, entriesIn)).toEqual([]))
  })
}
