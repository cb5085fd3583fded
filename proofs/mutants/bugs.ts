import { readFileSync } from 'node:fs'
import type { Mutant, Stage } from './mutant.ts'

/** A bug of a list that is not part of the repository. Without `tests`, all tests are run. */
interface Bug extends Mutant {
  readonly tests?: readonly string[]
}

/** All tests take some minutes. */
const TIMEOUT_MS = 1_500_000

/** The bugs of a JSON file, one stage for all that the same tests must find. */
export function stagesOfBugs(path: string): readonly Stage[] {
  const stages = new Map<string, Stage & { readonly mutants: Mutant[] }>()
  for (const { tests = [], ...mutant } of JSON.parse(readFileSync(path, 'utf8')) as readonly Bug[]) {
    const key = tests.join(' ')
    const stage = stages.get(key) ?? { name: key || 'all tests', tests, timeout: TIMEOUT_MS, mutants: [] }
    stages.set(key, stage)
    stage.mutants.push(mutant)
  }
  return [...stages.values()]
}
