import type { ChatEvent, Segment } from '@millrace/core/fold'
import type { Selection } from './position-store.ts'

/** The segment of a selection: the one that begins with its first entry, else the smallest that holds it. */
export function selectedSegment(chatEvents: readonly ChatEvent[], selection: Selection): Segment | undefined {
  const { runId, seqs, callId } = selection
  const [first] = seqs
  const segments = chatEvents.filter((event) => event.runId === runId).flatMap((event) => withInner(event.segments))
  const isNamed = (segment: Segment) => callId !== undefined && segment.type === 'tool' && segment.callId === callId
  const holding = segments.filter((segment) => segment.seqs[0] <= first && first <= segment.seqs[1])
  return (
    segments.find(isNamed) ??
    segments.findLast((segment) => segment.seqs[0] === first) ??
    holding.sort((one, other) => extent(one) - extent(other))[0]
  )
}

/** The selection of a segment. */
export function selectionOf(runId: string, segment: Segment): Selection {
  const { seqs } = segment
  return { runId, seqs, ...(segment.type === 'tool' && { callId: segment.callId }) }
}

/** The selection of the segment that a drawn piece shows: entries alone, if it shows several. */
export function selectionAt(chatEvents: readonly ChatEvent[], { runId, seqs }: Selection): Selection {
  const segment = selectedSegment(chatEvents, { runId, seqs })
  return segment === undefined ? { runId, seqs } : selectionOf(runId, segment)
}

/** Subagents, and what they hold at every depth. */
function withInner(segments: readonly Segment[]): readonly Segment[] {
  return segments.flatMap((segment) =>
    segment.type === 'subagent' ? [segment, ...withInner(segment.segments)] : [segment],
  )
}

const extent = ({ seqs: [first, last] }: Segment) => last - first
