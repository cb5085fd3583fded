import type { Wire } from '@millrace/core/wire/wire'
import { describe, expect, it } from 'vitest'
import type { Run } from './fold-laws.ts'
import { broken, type Effort, effortFor, entriesIn, thorough } from './law.ts'
import { clientVerdicts, type FormatCase, type WireFacts, wireLaws } from './wire-laws.ts'

/** What every wire promises, over these runs. A wire that the test knows nothing about fails. */
export function wireSuite(
  wire: string,
  format: Wire,
  runs: readonly Run[],
  facts: WireFacts | undefined,
  effort: Effort = thorough,
): void {
  describe(`wire: ${wire}`, () => {
    it('has runs to format, and declares its client or why there is none', () => {
      expect(runs.length).toBeGreaterThan(0)
      expect(facts).toBeDefined()
    })
    if (facts === undefined) return
    const cases = runs.map((run): FormatCase => ({ ...run, format, facts }))
    for (const law of wireLaws) it(law.promise, () => expect(broken(law, cases, effort, entriesIn)).toEqual([]))
    const promise = 'is accepted by its own client, which ends with the folded content'
    if (typeof facts.client === 'function') it(promise, () => clientTest(cases, effort))
    else it.skip(`${promise}: ${facts.client.none}`, () => {})
  })
}

async function clientTest(cases: readonly FormatCase[], effort: Effort): Promise<void> {
  const problems: string[] = []
  for (const of of cases) {
    const verdicts = clientVerdicts(of, effortFor(effort, entriesIn(of)))
    for await (const verdict of verdicts) if (verdict) problems.push(`${of.name}: ${verdict}`)
  }
  expect(problems.slice(0, 5)).toEqual([])
}
