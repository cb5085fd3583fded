import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { historySuite } from '@millrace/testkit/history-suite'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun, repeatedRuns, waitingRun } from '@millrace/testkit/runs'
import { sample } from '@millrace/testkit/seeded'
import { historyFacts } from '../proofs/wires/history.ts'

const recorded = Object.entries(parsers).flatMap(([name, parser]) =>
  fixturesOf(name).map((recording) => recordedRun(parser, recording)),
)

/** A sample: the clients take long. `npm run laws` tries all runs, and cuts those of up to 200 entries everywhere. */
const effort = { cuts: 6, seed: 11 }
const runs = [waitingRun, ...repeatedRuns, ...sample(recorded, 40, 11), ...generatedRuns(20, 11)]

for (const [name, wire] of Object.entries(wires)) {
  historySuite(name, wire, runs, historyFacts[name], effort)
}
