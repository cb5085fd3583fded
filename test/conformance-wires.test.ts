import { formats } from '@millrace/core/format'
import { frameworks } from '@millrace/core/parse'
import { fixturesOf } from '@millrace/testkit/fixtures'
import { foldSuite } from '@millrace/testkit/fold-suite'
import { formatSuite } from '@millrace/testkit/format-suite'
import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf, generatedRuns, waitingRun } from '@millrace/testkit/runs'
import { wires } from './wires.ts'

const recorded = Object.entries(frameworks).flatMap(([name, framework]) =>
  fixturesOf(name).map((recording) => ({
    name: recording.name,
    entries: entriesOf(eventsOf(framework, recording.records)),
  })),
)

foldSuite('recordings', recorded)

for (const [wire, format] of Object.entries(formats)) {
  formatSuite(wire, format, [...recorded, waitingRun, ...generatedRuns(40, 5)], wires[wire])
}
