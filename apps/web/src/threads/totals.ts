import type { RunInfo } from '@millrace/core/client'
import type { UsageCounts } from '@millrace/core/events'
import { runDurationOf } from '@millrace/core/fold'

/** What a thread has used so far. A field is absent if no run reports it. */
export interface Totals {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number
  /** The sum over the runs that have ended, each by its own clock or its report. */
  readonly durationMs?: number
  /** The start of the run that is still live. One with an end is shown as it was then. */
  readonly liveSince?: number
}

export function totalsOf(runs: readonly RunInfo[]): Totals {
  const sum = (field: keyof UsageCounts) => sumOf(runs.map(({ usage }) => usage?.[field]))
  const [inputTokens, outputTokens, costUsd] = [sum('inputTokens'), sum('outputTokens'), sum('costUsd')]
  const durationMs = sumOf(runs.map(runDurationOf))
  const liveSince = runs.find(({ state, endedAt }) => state !== 'ended' && endedAt === undefined)?.startedAt
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(durationMs !== undefined && { durationMs }),
    ...(liveSince !== undefined && { liveSince }),
  }
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  const reported = counts.filter((count) => count !== undefined)
  return reported.length === 0 ? undefined : reported.reduce((sum, count) => sum + count, 0)
}
