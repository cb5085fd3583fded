import { parsers } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import { allWires } from '@millrace/core/wire'
import type { Run } from '@millrace/testkit/fold-laws'
import { historyVerdicts } from '@millrace/testkit/history-laws'
import { threadsOf } from '@millrace/testkit/history-suite'
import type { ThreadCase } from '@millrace/testkit/history-threads'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun, waitingRun } from '@millrace/testkit/runs'
import { historyFacts } from '../wires/history.ts'
import { type Finding, measure } from './measure.ts'

/** Up to so many entries a thread is cut behind every one of them; beyond, at some that the seed chooses. */
const EVERYWHERE = 200
const CUTS = 64

/** Each run of a thread of several: every run is cut alone, too, and here it is what lies between runs that is tried. */
const CUTS_IN_THREADS = 16

const GENERATED = 300

/** What law 11 was tried on, and the result. */
export interface HistoryReport {
  readonly findings: readonly Finding[]
  readonly figures: readonly string[]
}

/**
 * Law 11 at full size, for every wire that has messages to load and each of its profiles; or only for the wire, or the row of the
 * report, that is named.
 */
export async function tryHistories(seed: number, wanted?: string): Promise<HistoryReport> {
  const { fixtures, corpus } = recordedRuns()
  const threads = threadsOf([...fixtures, ...corpus, waitingRun, ...generatedRuns(GENERATED, seed)])
  const findings: Finding[] = []
  const without: string[] = []
  for (const [name, wire] of Object.entries(allWires())) {
    if (wire.createHistory === undefined) {
      without.push(name)
      continue
    }
    const facts = historyFacts[name]
    if (facts === undefined) throw new Error(`The wire ${name} has no file in proofs/wires/history.`)
    for (const profile of [undefined, ...wire.profiles]) {
      const cases = threads.map((thread) => ({ ...thread, wire, profile, facts }))
      const over = profile === undefined ? name : `${name}, ${profile}`
      if (wanted !== undefined && wanted !== name && wanted !== over) continue
      findings.push(
        await measure(over, 'loads what it streams', cases, (one) => historyVerdicts(one, cutsOf(one), seed)),
      )
    }
  }
  const figures = [
    `seed ${seed}`,
    `${fixtures.length} fixtures, ${corpus.length} recordings of the corpus and ${GENERATED + 1} generated streams, each as the answer to a question, and three at a time joined to a thread`,
    `a run of at most ${EVERYWHERE} entries is cut behind each of them, a longer one behind ${CUTS} that the seed chooses, and at its end; a thread of more than ${EVERYWHERE} entries is cut behind ${CUTS_IN_THREADS} of each of its runs`,
    `without messages to load: ${without.join(', ')}`,
  ]
  return { findings, figures }
}

function recordedRuns(): { readonly fixtures: readonly Run[]; readonly corpus: readonly Run[] } {
  const entries = Object.entries<Parser>(parsers)
  const fixtures = entries.flatMap(([format, parser]) => fixturesOf(format).map((one) => recordedRun(parser, one)))
  const corpus = entries.flatMap(([format, parser]) => {
    const recorded = corpusOf(format)
    return 'absent' in recorded ? [] : recorded.recordings.map((one) => recordedRun(parser, one))
  })
  return { fixtures, corpus }
}

function cutsOf({ runs }: ThreadCase): number {
  const entries = runs.reduce((sum, run) => sum + run.entries.length, 0)
  if (entries <= EVERYWHERE) return EVERYWHERE
  return runs.length === 1 ? CUTS : CUTS_IN_THREADS
}
