import { allWires } from '@millrace/core/wire'
import { historyVerdicts } from '@millrace/testkit/history-laws'
import { threadsOf } from '@millrace/testkit/history-suite'
import type { ThreadCase } from '@millrace/testkit/history-threads'
import { generatedRuns, waitingRun } from '@millrace/testkit/runs'
import { historyFacts } from '../wires/history.ts'
import { type Finding, measure } from './measure.ts'
import { recordedRuns } from './recorded-runs.ts'
import type { Section } from './report.ts'

/** Up to so many entries a thread is cut behind every one of them; beyond, at some that the seed chooses. */
const EVERYWHERE = 200
const CUTS = 64

/** Each run of a thread of several: every run is cut alone, too, and here it is what lies between runs that is tried. */
const CUTS_IN_THREADS = 16

const GENERATED = 300

/** Law 11 at full size, for every wire that has messages to load, or for the one that is named, and for each of its profiles. */
export async function tryHistories(seed: number, wanted?: string): Promise<Section> {
  const { fixtures, corpus } = recordedRuns()
  const threads = threadsOf([...fixtures, ...corpus, waitingRun, ...generatedRuns(GENERATED, seed)])
  const findings: Finding[] = []
  const without: string[] = []
  for (const [name, wire] of Object.entries(allWires())) {
    if (wire.createHistory === undefined) {
      without.push(name)
      continue
    }
    if (wanted !== undefined && wanted !== name) continue
    const facts = historyFacts[name]
    if (facts === undefined) throw new Error(`The wire ${name} has no file in proofs/wires/history.`)
    for (const profile of [undefined, ...wire.profiles]) {
      const cases = threads.map((thread) => ({ ...thread, wire, profile, facts }))
      const over = profile === undefined ? name : `${name}, ${profile}`
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
  const about = [
    'What a client loads, and then streams, is what a client holds that has streamed everything. `npm run laws -- history`',
    'tries this one alone, `npm run laws -- history WIRE --seed SEED` on one wire.',
  ]
  return { title: 'Law 11: loaded = streamed', about, findings, figures }
}

function cutsOf({ runs }: ThreadCase): number {
  const entries = runs.reduce((sum, run) => sum + run.entries.length, 0)
  if (entries <= EVERYWHERE) return EVERYWHERE
  return runs.length === 1 ? CUTS : CUTS_IN_THREADS
}
