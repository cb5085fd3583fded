import type { Span, Spans } from '@millrace/core/spans'

/** When a span ended, or the time of the last entry if it is open. */
export const endOf = ({ endedAt, phases, startedAt }: Span): number => endedAt ?? phases.at(-1)?.to ?? startedAt

/** How long at least one of them went on. They are in the order in which they began. */
export function timeCovered(spans: readonly Span[]): number {
  let sum = 0
  let reached = Number.NEGATIVE_INFINITY
  for (const span of spans) {
    const end = endOf(span)
    sum += Math.max(0, end - Math.max(reached, span.startedAt))
    reached = Math.max(reached, end)
  }
  return sum
}

/** A run that has gone on for so long since its last entry: what is open has, too. */
export function grownBy(times: Spans, ms: number): Spans {
  if (times.isOver || ms <= 0) return times
  const endedAt = times.endedAt + ms
  const spans = times.spans.map((span) => {
    const last = span.phases.at(-1)
    if (span.endedAt !== undefined || last === undefined) return span
    return { ...span, phases: [...span.phases.slice(0, -1), { ...last, to: Math.max(last.to, endedAt) }] }
  })
  return { ...times, endedAt, spans }
}

/** No model answers within this time. */
const LEAST_CALL_MS = 100
/** No agent writes more entries in a millisecond. */
const MOST_ENTRIES_PER_MS = 4

/**
 * Whether the times of a run are those of its work. A file without times is imported in a moment: its entries have the times of
 * the import, which say nothing. `isDated`: the framework has sent times.
 */
export function hasTimes({ isOver, startedAt, endedAt, spans }: Spans, entryCount: number, isDated: boolean): boolean {
  const wall = endedAt - startedAt
  if (!isOver) return true
  if (wall <= 0) return false
  // Subagents may be at work at the same time.
  const calls = spans.filter(({ kind, agentId }) => kind === 'model' && agentId === undefined).length
  return isDated || wall >= Math.max(calls * LEAST_CALL_MS, LEAST_CALL_MS / 2, entryCount / MOST_ENTRIES_PER_MS)
}
