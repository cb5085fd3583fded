import { expectNone } from './expectation.ts'
import type { Run } from './fold-laws.ts'
import { type Effort, entriesIn, thorough, violationsOf } from './law.ts'
import { type Render, renderLaws } from './render-laws.ts'
import { describe, it } from './runner.ts'

/** Tests the promises of a renderer over these runs. */
export function renderSuite(name: string, render: Render, runs: readonly Run[], effort: Effort = thorough): void {
  describe(`render: ${name}`, () => {
    it('has runs to draw', () => expectNone(runs.length === 0 ? ['it has no run'] : []))
    for (const law of renderLaws(render)) it(law.promise, () => expectNone(violationsOf(law, runs, effort, entriesIn)))
  })
}
