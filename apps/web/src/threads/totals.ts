import type { RunInfo } from '@millrace/core/client'
import type { UsageCounts } from '@millrace/core/event-fields'

/** What a thread has used so far. Absent: nobody said. */
export interface Totals {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number
  /** Of the runs that have ended, each by its own clock. */
  readonly durationMs?: number
  /** When the run began that still goes on. */
  readonly liveSince?: number
}

export function totalsOf(runs: readonly RunInfo[]): Totals {
  const sum = (field: keyof UsageCounts) => sumOf(runs.map(({ usage }) => usage?.[field]))
  const [inputTokens, outputTokens, costUsd] = [sum('inputTokens'), sum('outputTokens'), sum('costUsd')]
  const durationMs = sumOf(runs.map(durationOf))
  const liveSince = runs.find(({ state }) => state !== 'ended')?.startedAt
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(durationMs !== undefined && { durationMs }),
    ...(liveSince !== undefined && { liveSince }),
  }
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  const given = counts.filter((count) => count !== undefined)
  return given.length === 0 ? undefined : given.reduce((sum, count) => sum + count, 0)
}

/** A recording without a clock is read in one go, which takes less: its time means nothing. */
const SHORTEST_MS = 1_000

/** How long a run took, by its own clock. */
export function durationOf({ startedAt, endedAt }: Pick<RunInfo, 'startedAt' | 'endedAt'>): number | undefined {
  if (startedAt === undefined || endedAt === undefined) return undefined
  const duration = endedAt - startedAt
  return duration < SHORTEST_MS ? undefined : duration
}
