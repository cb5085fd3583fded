import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { fixturesOf } from '@millrace/testkit/fixtures'
import { foldSuite } from '@millrace/testkit/fold-suite'
import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf, generatedRuns, waitingRun } from '@millrace/testkit/runs'
import { wireSuite } from '@millrace/testkit/wire-suite'
import { wireFacts } from '../proofs/wires/facts.ts'

const recorded = Object.entries(parsers).flatMap(([name, parser]) =>
  fixturesOf(name).map((recording) => ({
    name: recording.name,
    entries: entriesOf(eventsOf(parser, recording.records)),
  })),
)

foldSuite('recordings', recorded)

for (const [name, wire] of Object.entries(wires)) {
  wireSuite(name, wire, [...recorded, waitingRun, ...generatedRuns(40, 5)], wireFacts[name])
}
