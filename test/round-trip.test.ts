import type { StreamEvent } from '@millrace/core/events'
import type { Losses } from '@millrace/core/losses'
import { createNormalizer } from '@millrace/core/normalize'
import { parsers } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import { recordOf } from '@millrace/core/source/source'
import { wires } from '@millrace/core/wire'
import type { Run } from '@millrace/testkit/fold-laws'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf, generatedRuns, waitingRun } from '@millrace/testkit/runs'
import { same } from '@millrace/testkit/verdicts'
import { describe, expect, it } from 'vitest'
import { knownFaults } from './round-trip/known-faults.ts'
import { pictureOf } from './round-trip/picture.ts'

const runs: readonly Run[] = [
  ...Object.entries(parsers).flatMap(([name, parser]) =>
    fixturesOf(name).map(({ name, records }) => ({ name, entries: entriesOf(eventsOf(parser, records)) })),
  ),
  waitingRun,
  ...generatedRuns(100, 11).map(normalized),
]

/** A run as it leaves `normalize`, as a stream that is read back does, too. */
function normalized({ name, entries }: Run): Run {
  const events: StreamEvent[] = []
  const normalizer = createNormalizer((event) => events.push(event))
  for (const { event } of entries) normalizer.push(event)
  normalizer.end()
  return { name, entries: entriesOf(events) }
}

/** Law 7, for each protocol that is both written and read. */
for (const [name, wire] of Object.entries(wires)) {
  const parser: Parser | undefined = (parsers as { readonly [name: string]: Parser })[name]
  describe(`round trip: ${name}`, () => {
    if (parser === undefined) {
      it.skip('nothing reads this wire back: no parser has its name', () => {})
      return
    }
    const losses: Losses = { ...parser.losses, ...wire.losses }
    it.each(runs.filter((run) => faultIn(name, run) === undefined))(
      'reads what was written, less what is lost: $name',
      ({ entries }) => {
        const wireState = wire.create({ runId: 'run', threadId: 'thread' })
        const records = entries
          .flatMap((entry) => wireState.push(entry))
          .map((chunk) => recordOf(JSON.stringify(chunk)))
        const back = pictureOf(entriesOf(eventsOf(parser, records)), losses)
        expect(same(back, pictureOf(entries, losses), 'read back'), reasons(losses)).toBeUndefined()
      },
    )
    const left = runs.flatMap((run) => faultIn(name, run) ?? [])
    for (const fault of new Set(left)) {
      it.skip(`${left.filter((each) => each === fault).length} generated runs: ${fault}`, () => {})
    }
    it('gives a reason for each loss', () => {
      for (const why of Object.values(losses)) expect(why).toMatch(/\S\.$/)
    })
  })
}

/** The fault that a generated run would show. Recordings are never left out. */
function faultIn(wire: string, { name, entries }: Run): string | undefined {
  const events = entries.map(({ event }) => event)
  const isShown = name.startsWith('generated ')
  return knownFaults.find((known) => isShown && known.wire === wire && known.isIn(events))?.fault
}

/** For the message of a failure: what both sides leave out. */
function reasons(losses: Losses): string {
  const lines = Object.entries(losses).map(([feature, why]) => `  ${feature}: ${why}`)
  return ['Left out of the comparison:', ...lines].join('\n')
}
