import { parsers } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import type { Run } from '@millrace/testkit/fold-laws'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { recordedRun } from '@millrace/testkit/runs'

/** The runs of all recordings: those of the repository, and those of the corpus, if there is one. */
export function recordedRuns(): { readonly fixtures: readonly Run[]; readonly corpus: readonly Run[] } {
  const entries = Object.entries<Parser>(parsers)
  const fixtures = entries.flatMap(([format, parser]) => fixturesOf(format).map((one) => recordedRun(parser, one)))
  const corpus = entries.flatMap(([format, parser]) => {
    const recorded = corpusOf(format)
    return 'absent' in recorded ? [] : recorded.recordings.map((one) => recordedRun(parser, one))
  })
  return { fixtures, corpus }
}
