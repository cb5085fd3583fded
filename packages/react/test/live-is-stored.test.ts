import { parsers } from '@millrace/core/parse'
import { brief } from '@millrace/testkit/law'
import { eventsOf } from '@millrace/testkit/read-recording'
import { renderSuite } from '@millrace/testkit/render-suite'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf, generatedRuns } from '@millrace/testkit/runs'
import { htmlOf } from './html.ts'

const effort = { ...brief, prefixes: 12 }
const render = (event: Parameters<typeof htmlOf>[0]) => htmlOf(event)

for (const [name, parser] of Object.entries(parsers)) {
  const runs = fixturesOf(name).map((recording) => ({
    name: recording.name,
    entries: entriesOf(eventsOf(parser, recording.records)),
  }))
  renderSuite(name, render, runs, effort)
}

renderSuite('generated streams', render, generatedRuns(40, 5), effort)
