import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { historySuite } from '@millrace/testkit/history-suite'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun, repeatedRuns, waitingRun } from '@millrace/testkit/runs'
import { historyFacts } from '../proofs/wires/history.ts'

const recorded = Object.entries(parsers).flatMap(([name, parser]) =>
  fixturesOf(name).map((recording) => recordedRun(parser, recording)),
)

/** There are hundreds of runs: few cuts of each. `npm run laws` cuts the runs of up to 200 entries everywhere. */
const effort = { cuts: 4, seed: 11 }

for (const [name, wire] of Object.entries(wires)) {
  historySuite(
    name,
    wire,
    [waitingRun, ...repeatedRuns, ...recorded, ...generatedRuns(40, 11)],
    historyFacts[name],
    effort,
  )
}
