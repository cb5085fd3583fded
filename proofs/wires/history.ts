import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { wires } from '@millrace/core/wire'
import type { HistoryFacts } from '@millrace/testkit/history-laws'

/** The client of each wire that has messages to load, from the file with its name in `history/`. */
export const historyFacts: { readonly [wire: string]: HistoryFacts } = Object.fromEntries(
  (await Promise.all(Object.keys(wires).map(factsOf))).flat(),
)

async function factsOf(wire: string): Promise<readonly (readonly [string, HistoryFacts])[]> {
  const path = join(import.meta.dirname, 'history', `${wire}.ts`)
  if (!existsSync(path)) return []
  const { history } = (await import(path)) as { history: HistoryFacts }
  return [[wire, history]]
}
