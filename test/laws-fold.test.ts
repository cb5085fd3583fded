import { fold } from '@millrace/core/fold'
import { illFormed } from '@millrace/testkit/any-event'
import { foldLaws } from '@millrace/testkit/fold-laws'
import { modelOf } from '@millrace/testkit/fold-model'
import { brief, entriesIn, violationsOf } from '@millrace/testkit/law'
import { holds } from '@millrace/testkit/property'
import { balanced, entriesOf } from '@millrace/testkit/runs'
import { roundsOf, runOf, scenarios } from '@millrace/testkit/scenarios'
import { wellFormed } from '@millrace/testkit/streams'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const sources = { 'generated streams': wellFormed, 'repaired streams': illFormed.map((events) => balanced(events)) }

for (const [name, arbitrary] of Object.entries(sources)) {
  describe(`fold: ${name}`, () => {
    for (const law of foldLaws) {
      it(law.promise, () => {
        holds(
          fc.property(arbitrary, (events) => {
            const runs = [{ name: 'generated', entries: entriesOf(events) }]
            expect(violationsOf(law, runs, brief, entriesIn)).toEqual([])
          }),
          80,
        )
      })
    }
  })
}

describe('fold: generated streams', () => {
  it('shows what the events say, looked up in the whole stream', () => {
    holds(
      fc.property(wellFormed, (events) => {
        const { chatEvents, usage } = fold(entriesOf(events))
        expect(plain({ messages: chatEvents, usage })).toEqual(plain(modelOf(events)))
      }),
      300,
    )
  })
})

describe('fold: scenarios', () => {
  it.each(scenarios)('shows what the events say, three times: $name', (scenario) => {
    const events = runOf(roundsOf(scenario, 3))
    const { chatEvents, usage } = fold(entriesOf(events))
    expect(plain({ messages: chatEvents, usage })).toEqual(plain(modelOf(events)))
  })
})

const LEFT_OUT: ReadonlySet<string> = new Set(['startedAt', 'endedAt', 'at', 'seqs', 'meta', 'runId'])

/** Without times and positions, through JSON. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (LEFT_OUT.has(key) ? undefined : inner)))
}
