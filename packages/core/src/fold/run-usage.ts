import type { UsageCounts } from '../event-fields.ts'
import type { ChatEvent } from './shapes.ts'

/** A message of an export: the last one of a run has what the run used as a whole, if that is not the sum of its messages. */
export type ExportedEvent = ChatEvent & { readonly runUsage?: UsageCounts }

/**
 * The messages of runs, oldest first, with the totals that runs report of themselves: an export has only messages, and would
 * lose them.
 */
export function withRunUsage(
  chatEvents: readonly ChatEvent[],
  usageOf: (runId: string) => UsageCounts | undefined,
): readonly ExportedEvent[] {
  const last = new Map(chatEvents.map(({ runId }, index) => [runId, index]))
  const sums = new Map<string, { [count: string]: number }>()
  for (const { runId, usage = {} } of chatEvents) {
    const sum = sums.get(runId) ?? {}
    sums.set(runId, sum)
    for (const [name, count] of Object.entries(usage)) sum[name] = (sum[name] ?? 0) + count
  }
  return chatEvents.map((event, index) => {
    const runUsage = last.get(event.runId) === index ? usageOf(event.runId) : undefined
    return runUsage === undefined || isSame(runUsage, sums.get(event.runId) ?? {}) ? event : { ...event, runUsage }
  })
}

/** Sums of fractions differ from what they were made of by less than this. */
const TINY = 1e-9

function isSame(one: UsageCounts, other: { readonly [count: string]: number }): boolean {
  const counts = Object.entries(one)
  return (
    counts.length === Object.keys(other).length &&
    counts.every(([name, count]) => Math.abs(count - (other[name] ?? Number.NaN)) < TINY)
  )
}
