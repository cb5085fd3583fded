import type { RunInfo } from './api-types.ts'

type Link = Pick<RunInfo, 'id' | 'afterRunId' | 'parentRunId' | 'agent'>

/** The runs of the conversation itself: those of subagents belong to the runs that began them. */
export const mainRuns = <Run extends Link>(runs: readonly Run[]): readonly Run[] =>
  runs.filter(({ parentRunId }) => parentRunId === undefined)

/**
 * A thread is a tree of runs; what is shown is the path to its newest run, or to another one, oldest first. A producer's run
 * without `afterRunId` follows the one before it; an agent's run without it begins the path. Runs of subagents are left out.
 */
export function lineageOf<Run extends Link>(runs: readonly Run[], head?: string): readonly Run[] {
  const main = mainRuns(runs)
  const before = predecessors(main)
  const path: Run[] = []
  const last = head === undefined ? -1 : main.findIndex(({ id }) => id === head)
  for (let run = main.at(last); run !== undefined; run = before.get(run)) path.push(run)
  return path.reverse()
}

/** The newest run that goes on from this one, over any number of others: where its branch ends now. */
export function headOf(runs: readonly Link[], runId: string): string {
  const main = mainRuns(runs)
  const before = predecessors(main)
  const branch = new Set([runId])
  // A run comes after the one that it continues: one pass is enough.
  for (const run of main) if (branch.has(before.get(run)?.id ?? '')) branch.add(run.id)
  return [...branch].at(-1) ?? runId
}

/** The runs that continue the same run as this one, itself among them, oldest first: attempts of one answer. */
export function attemptsOf<Run extends Link>(runs: readonly Run[], runId: string): readonly Run[] {
  const main = mainRuns(runs)
  const before = predecessors(main)
  const run = main.find(({ id }) => id === runId)
  return run === undefined ? [] : main.filter((each) => before.get(each) === before.get(run))
}

/** The run before each, if there is one. Only ever an older one, so that a wrong link cannot cause a loop. */
function predecessors<Run extends Link>(main: readonly Run[]): ReadonlyMap<Run, Run | undefined> {
  const indexOf = new Map(main.map(({ id }, index) => [id, index]))
  return new Map(
    main.map((run, index) => {
      const { afterRunId, agent } = run
      if (afterRunId === undefined) return [run, agent === undefined ? main[index - 1] : undefined]
      const before = indexOf.get(afterRunId)
      return [run, before !== undefined && before < index ? main[before] : main[index - 1]]
    }),
  )
}
