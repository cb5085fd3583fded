import type { UsageCounts } from '../../event-fields.ts'
import { addCounts } from '../../meaning/usage-total.ts'
import { criticalPaths, type PathPart } from './critical-path.ts'
import type { PhaseKind, Span, Spans } from './span.ts'

/** What the time of a run went to. `between` is what nothing explains. */
export const TIME_KINDS = ['model', 'tools', 'subagent', 'person', 'failed', 'status', 'between'] as const
export type TimeKind = (typeof TIME_KINDS)[number]

/** The time of each kind on the critical path. The sum is the run's wall time. */
export function timeSums(times: Spans): Readonly<Record<TimeKind, number>> {
  const sums = Object.fromEntries(TIME_KINDS.map((kind) => [kind, 0])) as Record<TimeKind, number>
  for (const part of criticalPaths(times).get('')?.parts ?? []) {
    for (const [kind, ms] of partsOfTime(part)) sums[kind] += ms
  }
  return sums
}

const kindsOfSpans: { readonly [Kind in Span['kind']]: TimeKind } = {
  model: 'model',
  thought: 'model',
  tool: 'tools',
  subagent: 'subagent',
  approval: 'person',
  status: 'status',
}

const kindsOfPhases: { readonly [Kind in PhaseKind]?: TimeKind } = { person: 'person', failed: 'failed' }

function partsOfTime({ span, from, to }: PathPart): readonly (readonly [TimeKind, number])[] {
  if (span === undefined) return [['between', to - from]]
  return span.phases.flatMap((phase) => {
    const ms = Math.min(to, phase.to) - Math.max(from, phase.from)
    return ms > 0 ? [[kindsOfPhases[phase.kind] ?? kindsOfSpans[span.kind], ms] as const] : []
  })
}

/** The counts of all model calls, and of those of one agent. */
export function usageOf(spans: readonly Span[]): UsageCounts {
  return spans.reduce<UsageCounts>((sum, { usage }) => (usage === undefined ? sum : addCounts(sum, usage)), {})
}

/** The model calls of a subagent, at every depth. */
export function callsInside(spans: readonly Span[], holder: Span): readonly Span[] {
  const holders = new Set([holder.id])
  return spans.filter((span) => {
    if (span.parent === undefined || !holders.has(span.parent)) return false
    holders.add(span.id)
    return span.kind === 'model'
  })
}
