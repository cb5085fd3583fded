import type { Wire } from '@millrace/core/wire/wire'
import { describe, expect, it } from 'vitest'
import type { Run } from './fold-laws.ts'
import { type Effort, effortFor, entriesIn, thorough, violationsOf } from './law.ts'
import { clientVerdicts, type WireCase, type WireFacts, wireLaws } from './wire-laws.ts'

/** Tests the promises of every wire over these runs. A wire without facts fails. */
export function wireSuite(
  name: string,
  wire: Wire,
  runs: readonly Run[],
  facts: WireFacts | undefined,
  effort: Effort = thorough,
): void {
  describe(`wire: ${name}`, () => {
    it('has runs, and declares its client or why there is none', () => {
      expect(runs.length).toBeGreaterThan(0)
      expect(facts).toBeDefined()
    })
    if (facts === undefined) return
    const cases = runs.map((run): WireCase => ({ ...run, wire, facts }))
    for (const law of wireLaws) it(law.promise, () => expect(violationsOf(law, cases, effort, entriesIn)).toEqual([]))
    const promise = 'is accepted by its own client, which ends with the folded content'
    if (typeof facts.client === 'function') it(promise, () => clientTest(cases, effort))
    else it.skip(`${promise}: ${facts.client.none}`, () => {})
  })
}

async function clientTest(cases: readonly WireCase[], effort: Effort): Promise<void> {
  const problems: string[] = []
  for (const wireCase of cases) {
    const verdicts = clientVerdicts(wireCase, effortFor(effort, entriesIn(wireCase)))
    for await (const verdict of verdicts) if (verdict) problems.push(`${wireCase.name}: ${verdict}`)
  }
  expect(problems.slice(0, 5)).toEqual([])
}
