import type { Wire } from '@millrace/core/wire'
import { expectNone } from './expectation.ts'
import type { Run } from './fold-laws.ts'
import { type HistoryFacts, historyVerdicts } from './history-laws.ts'
import { alone, historyThreads, joined, type ThreadCase } from './history-threads.ts'
import { describe, it, skip } from './runner.ts'

/** How many runs are joined to one thread. */
const JOINED = 3

/** The threads of this package are short, and are cut behind every entry. */
const EVERYWHERE = 200

/** How often a run is cut; beyond this many entries, the seed chooses. */
export interface HistoryEffort {
  readonly cuts: number
  readonly seed: number
}

/** The threads that law 11 is tried on: each run alone, some joined, and those of this package. */
export function threadsOf(runs: readonly Run[]): readonly ThreadCase[] {
  const groups = Array.from({ length: Math.floor(runs.length / JOINED) }, (_, index) =>
    joined(`thread ${index + 1}`, runs.slice(index * JOINED, (index + 1) * JOINED)),
  )
  return [...historyThreads, ...runs.map(alone), ...groups]
}

/** Tests law 11 for a wire and each of its profiles. A wire with a history but without facts fails. */
export function historySuite(
  name: string,
  wire: Wire,
  runs: readonly Run[],
  facts: HistoryFacts | undefined,
  { cuts, seed }: HistoryEffort,
): void {
  describe(`history: ${name}`, () => {
    if (wire.createHistory === undefined) {
      skip('loads what it streams: its clients load no messages')
      return
    }
    for (const profile of [undefined, ...wire.profiles]) {
      it(`loads what it streams, ${profile === undefined ? 'by default' : `in profile ${profile}`}`, async () => {
        if (facts === undefined) throw new Error('The wire has a history but no facts about its client.')
        const problems: string[] = []
        for (const thread of threadsOf(runs)) {
          const wanted = historyThreads.includes(thread) ? EVERYWHERE : cuts
          for await (const verdict of historyVerdicts({ ...thread, wire, profile, facts }, wanted, seed)) {
            if (verdict !== undefined) problems.push(`${thread.name}: ${verdict}`)
          }
          if (problems.length >= 5) break
        }
        expectNone(problems.slice(0, 5))
      })
    }
  })
}
