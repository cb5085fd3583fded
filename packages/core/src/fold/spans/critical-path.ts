import type { Span, Spans } from './span.ts'

/** A stretch of time, and the span that the run waited for in it; absent: none. */
export interface PathPart {
  readonly span?: Span
  readonly from: number
  readonly to: number
}

/** Why a run, or a subagent in it, took as long as it did. */
export interface CriticalPath {
  /** They adjoin and fill the whole time. */
  readonly parts: readonly PathPart[]
  /** By span: how much later it could have ended without delaying the end. 0 for a span on the path. */
  readonly slack: ReadonlyMap<string, Slack>
}

export interface Slack {
  readonly ms: number
  /** What was at work until then. */
  readonly behind?: Span
}

const paths = new WeakMap<Spans, ReadonlyMap<string, CriticalPath>>()

/**
 * The critical path of a run, and of each span that holds others, by its id; that of the run is at the empty string.
 * It is found from the end: what ended last has waited for what ended last before it began.
 */
export function criticalPaths(times: Spans): ReadonlyMap<string, CriticalPath> {
  const before = paths.get(times)
  if (before !== undefined) return before
  const found = new Map<string, CriticalPath>()
  const byId = new Map(times.spans.map((span) => [span.id, span]))
  for (const [holder, inside] of spansByHolder(times)) {
    const span = byId.get(holder)
    found.set(holder, pathThrough(inside, span?.startedAt ?? times.startedAt, span?.endedAt ?? times.endedAt))
  }
  paths.set(times, found)
  return found
}

/** The spans that a run or a span holds. Thoughts are a part of what their model call does. */
function spansByHolder({ spans }: Spans): ReadonlyMap<string, readonly Timed[]> {
  const groups = new Map<string, Timed[]>([['', []]])
  for (const span of spans) {
    if (span.kind === 'thought') continue
    const holder = span.parent ?? ''
    const group = groups.get(holder) ?? []
    groups.set(holder, group)
    const to = Math.max(span.readyAt, span.phases.at(-1)?.to ?? span.readyAt)
    group.push({ span, from: span.readyAt, to })
  }
  return groups
}

/** A span with the time in which it did its own work: the input of a call is written by its model call. */
interface Timed {
  readonly span: Span
  readonly from: number
  readonly to: number
}

function pathThrough(inside: readonly Timed[], start: number, end: number): CriticalPath {
  const parts = partsOf(inside, start, end)
  return { parts, slack: slackOf(inside, parts, end) }
}

function partsOf(inside: readonly Timed[], start: number, end: number): readonly PathPart[] {
  // A span that took no time is nothing to wait for.
  const lasting = inside.filter(({ from, to }) => from < to)
  const byEnd = [...lasting].sort((one, other) => one.to - other.to || one.from - other.from)
  const byStart = [...lasting].sort((one, other) => one.from - other.from)
  const calls = new Map(inside.map((timed) => [timed.span.id, timed]))
  const backwards: PathPart[] = []
  let at = end
  let next: Timed | undefined
  while (at > start) {
    const cause = causeOf(next, at, { byEnd, byStart, calls })
    const to = Math.max(start, Math.min(at, cause?.to ?? start))
    if (to < at) backwards.push({ from: to, to: at })
    if (cause === undefined) break
    const from = Math.max(start, cause.from)
    if (from < to) backwards.push({ span: cause.span, from, to })
    at = from
    next = cause
  }
  return backwards.reverse()
}

interface Candidates {
  readonly byEnd: readonly Timed[]
  readonly byStart: readonly Timed[]
  readonly calls: ReadonlyMap<string, Timed>
}

/** What something that began at this time has waited for: a call for its model call, all else for what ended last. */
function causeOf(next: Timed | undefined, at: number, { byEnd, byStart, calls }: Candidates): Timed | undefined {
  const asking = next?.span.asked === undefined ? undefined : calls.get(next.span.asked)
  if (asking !== undefined && asking.from < at) return asking
  // If nothing has ended yet, the time belongs to what began last.
  return byEnd[firstWhere(byEnd, ({ to }) => to > at) - 1] ?? byStart[firstWhere(byStart, ({ from }) => from >= at) - 1]
}

/**
 * What comes next in the same agent is the first that begins after a span has ended. A span may end as late as that
 * may begin, or as late as the end.
 */
function slackOf(inside: readonly Timed[], parts: readonly PathPart[], end: number): ReadonlyMap<string, Slack> {
  const onPath = new Set(parts.flatMap(({ span }) => span?.id ?? []))
  const byStart = [...inside].sort((one, other) => one.from - other.from || one.to - other.to)
  const latestStarts: number[] = []
  const slack = new Map<string, Slack>()
  for (let index = byStart.length - 1; index >= 0; index--) {
    const { span, from, to } = byStart[index] as Timed
    const next = Math.max(
      index + 1,
      firstWhere(byStart, ({ from }) => from >= to),
    )
    const latestEnd = Math.max(to, latestStarts[next] ?? end)
    const isOn = onPath.has(span.id)
    latestStarts[index] = isOn ? from : latestEnd - (to - from)
    const behind = isOn ? undefined : parts[firstWhere(parts, (part) => part.to >= latestEnd)]?.span
    slack.set(span.id, { ms: isOn ? 0 : latestEnd - to, ...(behind !== undefined && { behind }) })
  }
  return slack
}

/** The position of the first for which it is true; it is for all that follow. */
function firstWhere<Item>(items: readonly Item[], isTrue: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isTrue(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}
