import { formats } from '@millrace/core/format'
import { frameworks } from '@millrace/core/parse'
import { corpusOf, unreadFolders } from '@millrace/testkit/fixtures'
import { foldSuite } from '@millrace/testkit/fold-suite'
import { formatSuite } from '@millrace/testkit/format-suite'
import { brief } from '@millrace/testkit/law'
import { parserSuite } from '@millrace/testkit/parser-suite'
import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf } from '@millrace/testkit/runs'
import { sample } from '@millrace/testkit/seeded'
import { describe, it } from 'vitest'
import { wires } from './wires.ts'

/** How many recordings the fold and each wire see, chosen by the seed: `npm run laws` gives them all. */
const FOLDED = 4

for (const folder of unreadFolders(Object.keys(frameworks)))
  it.skip(`corpus folder ${folder}: no parser of this name`, () => {})

for (const [name, framework] of Object.entries(frameworks)) {
  describe(`corpus: ${name}`, () => {
    const corpus = corpusOf(name)
    if ('absent' in corpus) {
      it.skip(`keeps every law on the corpus: ${corpus.absent}`, () => {})
      return
    }
    parserSuite(name, framework, corpus.recordings, brief)
    const runs = sample(corpus.recordings, FOLDED, brief.seed).map((recording) => ({
      name: recording.name,
      entries: entriesOf(eventsOf(framework, recording.records)),
    }))
    foldSuite(name, runs, brief)
    for (const [wire, format] of Object.entries(formats)) formatSuite(wire, format, runs, wires[wire], brief)
  })
}
