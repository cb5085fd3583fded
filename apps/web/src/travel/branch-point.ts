import type { RunInfo } from '@millrace/core/client'

/** The end of a run, at which another message may continue: a turn boundary. */
export interface BranchPoint {
  /** The run that the new one continues; `null`: none, the first question is asked anew. */
  readonly after: string | null
  /** How many turns of the thread stay. */
  readonly keptTurns: number
  /** The last entry that stays, of its run. */
  readonly at: { readonly runId: string; readonly seq: number }
}

type Run = Pick<RunInfo, 'id' | 'seq' | 'state'>

/** The last turn boundary at or before a moment. `path` is what the thread shows, oldest first. */
export function branchPointOf(
  path: readonly Run[],
  moment: { readonly runId: string; readonly seq: number },
): BranchPoint {
  const index = path.findIndex(({ id }) => id === moment.runId)
  const run = path[index]
  const isAtEnd = run !== undefined && run.state === 'ended' && moment.seq >= run.seq
  const keptTurns = isAtEnd ? index + 1 : Math.max(0, index)
  const last = path[keptTurns - 1]
  if (last === undefined) return { after: null, keptTurns: 0, at: { runId: path[0]?.id ?? moment.runId, seq: 0 } }
  return { after: last.id, keptTurns, at: { runId: last.id, seq: last.seq } }
}

/** Where a branch begins, in words: `after turn 2`. */
export const branchWords = ({ keptTurns }: BranchPoint): string =>
  keptTurns === 0 ? 'before the first turn' : `after turn ${keptTurns}`
