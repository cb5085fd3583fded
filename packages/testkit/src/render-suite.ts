import { describe, expect, it } from 'vitest'
import type { Run } from './fold-laws.ts'
import { type Effort, entriesIn, thorough, violationsOf } from './law.ts'
import { type Render, renderLaws } from './render-laws.ts'

/** Tests the promises of a renderer over these runs. */
export function renderSuite(name: string, render: Render, runs: readonly Run[], effort: Effort = thorough): void {
  describe(`render: ${name}`, () => {
    it('has runs to draw', () => expect(runs.length).toBeGreaterThan(0))
    for (const law of renderLaws(render))
      it(law.promise, () => expect(violationsOf(law, runs, effort, entriesIn)).toEqual([]))
  })
}
