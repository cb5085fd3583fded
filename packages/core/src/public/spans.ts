/** What the time of a run was for: pure views over its entries. */
export { type CriticalPath, criticalPaths, type PathPart, type Slack } from '../fold/spans/critical-path.ts'
export type { Mark, MarkKind, Phase, PhaseKind, Span, SpanKind, SpanState, Spans, Writing } from '../fold/spans/span.ts'
export { createSpans, type SpanFold, spansOfEntries } from '../fold/spans/spans.ts'
export { callsInside, TIME_KINDS, type TimeKind, timeSums, usageOf } from '../fold/spans/time-sums.ts'
