import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { inProfile } from '@millrace/core/wire/profiles'
import { foldSuite } from '@millrace/testkit/fold-suite'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun, repeatedRuns, waitingRun } from '@millrace/testkit/runs'
import { thorough, wireSuite } from '@millrace/testkit/wire-suite'
import { it } from 'vitest'
import { wireFacts } from '../proofs/wires/facts.ts'

const recorded = Object.entries(parsers).flatMap(([name, parser]) =>
  fixturesOf(name).map((recording) => recordedRun(parser, recording)),
)

/** There are hundreds of runs: one cut of each tries the clients at as many points. `npm run laws` tries six of each. */
const effort = { ...thorough, clientCuts: 1 }

foldSuite('recordings', recorded)

for (const [name, wire] of Object.entries(wires)) {
  const runs = [...recorded, ...repeatedRuns, waitingRun]
  wireSuite(name, wire, [...runs, ...generatedRuns(40, 5)], wireFacts[name], effort, runs)
  // A profile is judged as a wire is. A third of the recordings is enough for what differs from the default.
  const some = [...runs.filter((_, index) => index % 3 === 0), ...generatedRuns(40, 6)]
  for (const profile of wire.profiles) {
    const facts = wireFacts[name]?.profiles?.[profile]
    const promise = `wire: ${name}, profile ${profile}`
    if (facts === undefined)
      it.skip(`${promise}: the tests of the wire judge it, and no reader of its own exists`, () => {})
    else wireSuite(`${name}, profile ${profile}`, inProfile(name, wire, profile), some, facts, effort)
  }
}
