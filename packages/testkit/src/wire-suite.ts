import type { Wire } from '@millrace/core/wire'
import { expectNone } from './expectation.ts'
import type { Run } from './fold-laws.ts'
import { type Effort, entriesIn, thorough, violationsOf } from './law.ts'
import { publicVerdicts } from './public-half.ts'
import { describe, it, skip } from './runner.ts'
import { clientVerdicts, type WireCase, type WireFacts, wireLaws } from './wire-laws.ts'

/** Tests the promises of every wire over these runs, the public half over `publicRuns`. A wire without facts fails. */
export function wireSuite(
  name: string,
  wire: Wire,
  runs: readonly Run[],
  facts: WireFacts | undefined,
  effort: Effort = thorough,
  publicRuns: readonly Run[] = runs,
): void {
  describe(`wire: ${name}`, () => {
    it('has runs, and declares its client or why there is none', () => {
      const hasEntries = runs.some(({ entries }) => entries.length > 0)
      expectNone([
        ...(hasEntries ? [] : ['it has no run with an entry: pass some, such as those of @millrace/testkit/runs']),
        ...(facts === undefined ? ['it has no facts: pass them as the fourth argument'] : []),
      ])
    })
    if (facts === undefined) return
    const cases = runs.map((run): WireCase => ({ ...run, wire, facts }))
    for (const law of wireLaws) it(law.promise, () => expectNone(violationsOf(law, cases, effort, entriesIn)))
    const promise = 'is accepted by its own client, which ends with the folded content'
    if (typeof facts.client === 'function') it(promise, () => clientTest(cases, effort))
    else skip(`${promise}: ${facts.client.none}`)
    const publicPromise = 'tells a client that knows only the protocol all that the fold shows'
    if ('none' in facts.publicHalf) skip(`${publicPromise}: ${facts.publicHalf.none}`)
    else it(publicPromise, () => publicTest(publicRuns.map((run): WireCase => ({ ...run, wire, facts }))))
  })
}

async function clientTest(cases: readonly WireCase[], effort: Effort): Promise<void> {
  const problems: string[] = []
  for (const wireCase of cases) {
    for await (const verdict of clientVerdicts(wireCase, effort))
      if (verdict) problems.push(`${wireCase.name}: ${verdict}`)
  }
  expectNone(problems.slice(0, 5))
}

async function publicTest(cases: readonly WireCase[]): Promise<void> {
  const problems: string[] = []
  for (const wireCase of cases) {
    for await (const verdict of publicVerdicts(wireCase)) if (verdict) problems.push(`${wireCase.name}: ${verdict}`)
  }
  expectNone(problems.slice(0, 5))
}
