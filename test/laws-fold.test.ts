import { illFormed } from '@millrace/testkit/any-event'
import { foldLaws } from '@millrace/testkit/fold-laws'
import { brief, entriesIn, violationsOf } from '@millrace/testkit/law'
import { balanced, entriesOf } from '@millrace/testkit/runs'
import { wellFormed } from '@millrace/testkit/streams'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const sources = { 'generated streams': wellFormed, 'repaired streams': illFormed.map((events) => balanced(events)) }

for (const [name, arbitrary] of Object.entries(sources)) {
  describe(`fold: ${name}`, () => {
    for (const law of foldLaws) {
      it(law.promise, () => {
        fc.assert(
          fc.property(arbitrary, (events) => {
            const runs = [{ name: 'generated', entries: entriesOf(events) }]
            expect(violationsOf(law, runs, brief, entriesIn)).toEqual([])
          }),
          { seed: 21, numRuns: 150 },
        )
      })
    }
  })
}
