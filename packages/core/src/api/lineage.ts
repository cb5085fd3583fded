import type { RunInfo } from './api-types.ts'

type Link = Pick<RunInfo, 'id' | 'afterRunId' | 'parentRunId' | 'agent'>

/** The runs of the conversation itself: those of subagents belong to the runs that began them. */
export const mainRuns = <Run extends Link>(runs: readonly Run[]): readonly Run[] =>
  runs.filter(({ parentRunId }) => parentRunId === undefined)

/**
 * A thread is a tree of runs; what is shown is the path to its newest run, oldest first. A producer's run without
 * `afterRunId` follows the one before it; an agent's run without it begins the path. Runs of subagents are left out.
 */
export function lineageOf<Run extends Link>(runs: readonly Run[]): readonly Run[] {
  const main = mainRuns(runs)
  const indexOf = new Map(main.map(({ id }, index) => [id, index]))
  const path: Run[] = []
  for (let index = main.length - 1; index >= 0; ) {
    const run = main[index] as Run
    path.push(run)
    if (run.afterRunId === undefined && run.agent !== undefined) break
    const before = run.afterRunId === undefined ? undefined : indexOf.get(run.afterRunId)
    // Only ever backwards, so that a wrong link cannot cause a loop.
    index = before !== undefined && before < index ? before : index - 1
  }
  return path.reverse()
}
