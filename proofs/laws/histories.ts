import { allWires } from '@millrace/core/wire'
import type { Run } from '@millrace/testkit/fold-laws'
import { historyVerdicts } from '@millrace/testkit/history-laws'
import { threadsOf } from '@millrace/testkit/history-suite'
import { historyFacts } from '../wires/history.ts'
import { type Finding, measure } from './measure.ts'

/** Up to so many entries a thread is cut behind every one of them; beyond, at `CUTS` that the seed chooses. */
const EVERYWHERE = 200
const CUTS = 64

/** Law 11 at full size, for every wire that has messages to load, and for each of its profiles. */
export async function tryHistories(runs: readonly Run[], seed: number): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const threads = threadsOf(runs)
  for (const [name, wire] of Object.entries(allWires())) {
    if (wire.createHistory === undefined) continue
    const facts = historyFacts[name]
    if (facts === undefined) throw new Error(`The wire ${name} has no file in proofs/wires/history.`)
    for (const profile of [undefined, ...wire.profiles]) {
      const cases = threads.map((thread) => ({ ...thread, wire, profile, facts }))
      const title = profile === undefined ? `history ${name}` : `history ${name}, ${profile}`
      findings.push(
        await measure(title, 'loads what it streams', cases, (one) => {
          const length = Math.max(0, ...one.runs.map(({ entries }) => entries.length))
          return historyVerdicts(one, length <= EVERYWHERE ? EVERYWHERE : CUTS, seed)
        }),
      )
    }
  }
  return findings
}
