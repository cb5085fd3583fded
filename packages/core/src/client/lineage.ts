import type { RunInfo } from '../api/api-types.ts'

type Link = Pick<RunInfo, 'id' | 'afterRunId' | 'parentRunId' | 'agent'>

/**
 * A thread is a tree of runs; what is shown is the way to its newest run, oldest first. A producer's
 * run that does not say what it continues follows the one before it; one of an agent's is a first question. A subagent's own runs are not part of the way.
 */
export function lineageOf<Run extends Link>(runs: readonly Run[]): readonly Run[] {
  const main = runs.filter(({ parentRunId }) => parentRunId === undefined)
  const indexOf = new Map(main.map(({ id }, index) => [id, index]))
  const path: Run[] = []
  for (let index = main.length - 1; index >= 0; ) {
    const run = main[index] as Run
    path.push(run)
    if (run.afterRunId === undefined && run.agent !== undefined) break
    const before = run.afterRunId === undefined ? undefined : indexOf.get(run.afterRunId)
    // Only ever backwards, so that a wrong link ends the way instead of turning round.
    index = before !== undefined && before < index ? before : index - 1
  }
  return path.reverse()
}
