import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { fixturesOf } from '@millrace/testkit/fixtures'
import { foldSuite } from '@millrace/testkit/fold-suite'
import { thorough } from '@millrace/testkit/law'
import { eventsOf } from '@millrace/testkit/read-recording'
import { balanced, entriesOf, generatedRuns, waitingRun } from '@millrace/testkit/runs'
import { roundsOf, runOf, scenarios } from '@millrace/testkit/scenarios'
import { changingScenarios, wireScenarios } from '@millrace/testkit/wire-scenarios'
import { wireSuite } from '@millrace/testkit/wire-suite'
import { wireFacts } from '../proofs/wires/facts.ts'

const recorded = Object.entries(parsers).flatMap(([name, parser]) =>
  fixturesOf(name).map((recording) => ({
    name: recording.name,
    entries: entriesOf(eventsOf(parser, recording.records)),
  })),
)

/** Each thing twice in one run. */
const repeated = [...scenarios, ...wireScenarios, ...changingScenarios].map((scenario) => ({
  name: scenario.name,
  entries: entriesOf(balanced(runOf(roundsOf(scenario, 2)))),
}))

foldSuite('recordings', recorded)

for (const [name, wire] of Object.entries(wires)) {
  const runs = [...recorded, ...repeated, waitingRun]
  wireSuite(name, wire, [...runs, ...generatedRuns(40, 5)], wireFacts[name], thorough, runs)
}
