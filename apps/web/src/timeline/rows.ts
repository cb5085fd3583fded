import { criticalPaths, type Span, type Spans } from '@millrace/core/spans'
import type { SpanNode } from './span-tree.ts'

/** A visible row. */
export interface TimelineRow {
  readonly node: SpanNode
  /** 1 is the run. */
  readonly level: number
  /** Absent: it holds nothing. */
  readonly isOpen?: boolean
}

/** The rows that are not folded away. `toggled` are those that a person folded or unfolded. */
export function rowsOf(root: SpanNode, toggled: ReadonlySet<string>): readonly TimelineRow[] {
  const rows: TimelineRow[] = []
  const visit = (node: SpanNode, level: number): void => {
    const isOpen = node.isOpenAtFirst !== toggled.has(node.id)
    rows.push({ node, level, ...(node.children.length > 0 && { isOpen }) })
    if (isOpen) for (const child of node.children) visit(child, level + 1)
  }
  visit(root, 1)
  return rows
}

/** The row of each span: its own, or the folded one that holds it. */
export function rowsOfSpans(rows: readonly TimelineRow[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const claim = (node: SpanNode, row: number): void => {
    if (node.span !== undefined) found.set(node.span.id, row)
    for (const child of node.children) claim(child, row)
  }
  for (const [row, { node, isOpen }] of rows.entries()) {
    if (isOpen === false) claim(node, row)
    else if (node.span !== undefined) found.set(node.span.id, row)
  }
  return found
}

/** A stretch of the critical path below the bars of a row. */
export interface PathStretch {
  readonly row: number
  readonly from: number
  readonly to: number
}

/** Where the path goes from one row to another. */
interface PathStep {
  readonly at: number
  readonly fromRow: number
  readonly toRow: number
}

export interface PathLines {
  readonly stretches: ReadonlyMap<number, readonly PathStretch[]>
  readonly steps: readonly PathStep[]
}

/** The critical path of the run as one line through the visible rows. Time in which nothing was at work extends what was before it. */
export function pathLines(times: Spans, rows: readonly TimelineRow[]): PathLines {
  const rowOf = rowsOfSpans(rows)
  const stretches = new Map<number, PathStretch[]>()
  const steps: PathStep[] = []
  let row: number | undefined
  let pending: number | undefined
  for (const { span, from, to } of criticalPaths(times).get('')?.parts ?? []) {
    const next = span === undefined ? row : rowOf.get(span.id)
    if (next === undefined) {
      pending ??= from
      continue
    }
    if (row !== undefined && row !== next) steps.push({ at: from, fromRow: row, toRow: next })
    const stretch = { row: next, from: pending ?? from, to }
    pending = undefined
    const before = stretches.get(next)
    if (before === undefined) stretches.set(next, [stretch])
    else before.push(stretch)
    row = next
  }
  return { stretches, steps }
}

/** The spans on the critical path of the run, and for how long it waited for each. */
export function pathTimes(times: Spans): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const { span, from, to } of criticalPaths(times).get('')?.parts ?? []) {
    if (span !== undefined) found.set(span.id, (found.get(span.id) ?? 0) + to - from)
  }
  return found
}

/** The rows with a span on the critical path of the run: their own, one that is folded, or for a group one of its rows. */
export function rowsOnPath(times: Spans, rows: readonly TimelineRow[]): ReadonlySet<number> {
  const onPath = pathTimes(times)
  const holds = ({ span, children }: SpanNode): boolean =>
    (span !== undefined && onPath.has(span.id)) || children.some(holds)
  const found = new Set<number>()
  for (const [row, { node, isOpen }] of rows.entries()) {
    const isOn = row === 0 || (node.span === undefined || isOpen === false ? holds(node) : onPath.has(node.span.id))
    if (isOn) found.add(row)
  }
  return found
}

/** The span that a selection names: its call, else the very same entries, else the smallest that holds its first entry. */
export function spanOfSelection(
  spans: readonly Span[],
  { seqs, callId }: { readonly seqs: readonly [number, number]; readonly callId?: string },
): Span | undefined {
  const [first, last] = seqs
  if (callId !== undefined) {
    const called = spans.find((span) => span.callId === callId)
    if (called !== undefined) return called
  }
  const extent = (span: Span) => span.seqs[1] - span.seqs[0]
  const holding = spans.filter((span) => span.seqs[0] <= first && first <= span.seqs[1])
  return (
    holding.find((span) => span.seqs[0] === first && span.seqs[1] === last) ??
    holding.filter((span) => span.seqs[0] === first).sort((one, other) => extent(one) - extent(other))[0] ??
    holding.sort((one, other) => extent(one) - extent(other))[0]
  )
}
