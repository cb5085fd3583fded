import type { UsageCounts } from '@millrace/core/event-fields'
import type { ChatEvent } from '@millrace/core/fold/shapes'

/** What a thread has used so far. Absent: nobody said. */
export interface Totals {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number
  /** From the first moment of each run that has ended to its last. */
  readonly durationMs?: number
  /** When the run began that still goes on. */
  readonly liveSince?: number
}

export function totalsOf(chatEvents: readonly ChatEvent[]): Totals {
  const sum = (field: keyof UsageCounts) => sumOf(chatEvents.map(({ usage }) => usage?.[field]))
  const [inputTokens, outputTokens, costUsd] = [sum('inputTokens'), sum('outputTokens'), sum('costUsd')]
  const runs = [...Map.groupBy(chatEvents, ({ runId }) => runId).values()]
  const live = runs.find((run) => run.some(({ state }) => state === 'live'))
  const durationMs = sumOf(runs.filter((run) => run !== live).map(spanOf))
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(durationMs !== undefined && { durationMs }),
    ...(live !== undefined && { liveSince: startOf(live) }),
  }
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0)
}

const startOf = (chatEvents: readonly ChatEvent[]) => Math.min(...chatEvents.map(({ startedAt }) => startedAt))

/** What was read in one go took no time that means anything. */
export const SHORTEST = 100

function spanOf(chatEvents: readonly ChatEvent[]): number | undefined {
  const end = Math.max(...chatEvents.map(({ startedAt, endedAt }) => endedAt ?? startedAt))
  const span = end - startOf(chatEvents)
  return span < SHORTEST ? undefined : span
}
