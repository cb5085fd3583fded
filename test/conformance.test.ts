import { formats } from '@millrace/core/format'
import { frameworks } from '@millrace/core/parse'
import { fixtureFolders, fixturesOf } from '@millrace/testkit/fixtures'
import { foldSuite } from '@millrace/testkit/fold-suite'
import { formatSuite } from '@millrace/testkit/format-suite'
import { parserSuite } from '@millrace/testkit/parser-suite'
import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf, generatedRuns, waitingRun } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { wires } from './wires.ts'

const recorded = Object.entries(frameworks).flatMap(([name, framework]) =>
  fixturesOf(name).map((recording) => ({
    name: recording.name,
    entries: entriesOf(eventsOf(framework, recording.records)),
  })),
)

for (const [name, framework] of Object.entries(frameworks)) parserSuite(name, framework, fixturesOf(name))

foldSuite('recordings', recorded)

for (const [wire, format] of Object.entries(formats)) {
  formatSuite(wire, format, [...recorded, waitingRun, ...generatedRuns(40, 5)], wires[wire])
}

describe('fixtures', () => {
  it('have a folder for each framework of the registry, and no other', () => {
    expect(fixtureFolders().toSorted()).toEqual(Object.keys(frameworks).toSorted())
  })
})
