import type { Segment, SubagentSegment, ToolSegment } from './shapes.ts'

/** A segment that holds no other segments. */
export type LeafSegment = Exclude<Segment, SubagentSegment>

/** The segments at every depth, in order. A subagent is replaced by the segments that it holds. */
export function leavesOf(segments: readonly Segment[]): readonly LeafSegment[] {
  return segments.flatMap((segment) => (segment.type === 'subagent' ? leavesOf(segment.segments) : [segment]))
}

/** The tool segments at every depth, in order. */
export function toolsIn(segments: readonly Segment[]): readonly ToolSegment[] {
  return leavesOf(segments).filter((segment) => segment.type === 'tool')
}

/** Changes segments at every depth. A subagent or an array in which nothing changed keeps its identity. */
export function mapLeaves(
  segments: readonly Segment[],
  change: (segment: LeafSegment) => LeafSegment,
): readonly Segment[] {
  const mapped = segments.map((segment) => {
    if (segment.type !== 'subagent') return change(segment)
    const inner = mapLeaves(segment.segments, change)
    return inner === segment.segments ? segment : { ...segment, segments: inner }
  })
  return mapped.every((segment, index) => segment === segments[index]) ? segments : mapped
}
