import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { foldSuite } from '@millrace/testkit/fold-suite'
import { brief } from '@millrace/testkit/law'
import { parserSuite } from '@millrace/testkit/parser-suite'
import { eventsOf } from '@millrace/testkit/read-recording'
import { corpusOf, unreadFolders } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { sample } from '@millrace/testkit/seeded'
import { wireSuite } from '@millrace/testkit/wire-suite'
import { describe, it } from 'vitest'
import { wireFacts } from '../proofs/wires/facts.ts'

/** How many recordings the fold and each wire see, chosen by the seed: `npm run laws` uses all of them. */
const FOLDED = 2

for (const folder of unreadFolders(Object.keys(parsers)))
  it.skip(`corpus folder ${folder}: no parser of this name`, () => {})

for (const [name, parser] of Object.entries(parsers)) {
  describe(`corpus: ${name}`, () => {
    const corpus = corpusOf(name)
    if ('absent' in corpus) {
      it.skip(`keeps every law on the corpus: ${corpus.absent}`, () => {})
      return
    }
    parserSuite(name, parser, corpus.recordings, brief)
    const runs = sample(corpus.recordings, FOLDED, brief.seed).map((recording) => ({
      name: recording.name,
      entries: entriesOf(eventsOf(parser, recording.records)),
    }))
    foldSuite(name, runs, brief)
    for (const [wireName, wire] of Object.entries(wires)) wireSuite(wireName, wire, runs, wireFacts[wireName], brief)
  })
}
