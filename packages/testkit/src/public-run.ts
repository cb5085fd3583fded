import type { Entry, EventOf } from '@millrace/core/events'
import {
  type ChatEvent,
  fold,
  type RunSnapshot,
  type Segment,
  type SegmentOf,
  type SegmentType,
} from '@millrace/core/fold'
import type { Losses } from '@millrace/core/losses'

/** A segment of a run, and whose it is. */
export interface Part {
  readonly segment: Segment
  /** The innermost subagent; undefined for the main agent. */
  readonly agentId: string | undefined
  readonly message: ChatEvent
}

/** A run as the fold shows it, less what a wire loses: what a client of the wire is compared with. */
export interface PublicRun {
  readonly entries: readonly Entry[]
  readonly snapshot: RunSnapshot
  /** At every depth, in the order in which they began. */
  readonly parts: readonly Part[]
}

export function publicRunOf(entries: readonly Entry[], losses: Losses): PublicRun {
  const carried = 'rewrite' in losses ? entries.map(withoutRewrite) : entries
  const snapshot = fold(carried)
  const isCarried = ({ role }: ChatEvent) => role === 'assistant' || !('other-roles' in losses)
  // The error of the run's end is its outcome, and not one that was survived.
  const endSeq = entries.find(({ event }) => event.type === 'run-end')?.seq
  const parts = snapshot.chatEvents
    .filter(isCarried)
    .flatMap((message) => partsIn(message.segments, message, undefined))
    .filter(({ segment }) => segment.type !== 'error' || segment.seqs[0] !== endSeq)
    .toSorted((a, b) => a.segment.seqs[0] - b.segment.seqs[0])
  return { entries, snapshot, parts }
}

function partsIn(segments: readonly Segment[], message: ChatEvent, agentId: string | undefined): readonly Part[] {
  return segments.flatMap((segment) => [
    { segment, agentId, message },
    ...(segment.type === 'subagent' ? partsIn(segment.segments, message, segment.agentId) : []),
  ])
}

/** The segments of one type, in order. */
export function segmentsOf<Type extends SegmentType>({ parts }: PublicRun, type: Type): readonly SegmentOf<Type>[] {
  return parts.flatMap(({ segment }) => (segment.type === type ? [segment as SegmentOf<Type>] : []))
}

/** The end of the run. */
export function endOf({ entries }: PublicRun): EventOf<'run-end'> {
  const end = entries.at(-1)?.event
  if (end?.type !== 'run-end') throw new Error('The run has no end.')
  return end
}

/** A call with the events that gave it its input and its output. */
export interface Call {
  readonly segment: SegmentOf<'tool'>
  readonly agentId: string | undefined
  /** Its input as it streamed; empty if it did not. */
  readonly streamed: string
  readonly input: EventOf<'tool-input'> | undefined
  readonly output: EventOf<'tool-output'> | undefined
}

/** The calls, in the order in which they started. */
export function callsOf({ entries, parts }: PublicRun): readonly Call[] {
  const streams = new Map<string, string>()
  const inputs = new Map<string, EventOf<'tool-input'>>()
  const outputs = new Map<string, EventOf<'tool-output'>>()
  for (const { event } of entries) {
    if (event.type === 'tool-input-delta') streams.set(event.callId, (streams.get(event.callId) ?? '') + event.text)
    if (event.type === 'tool-input') inputs.set(event.callId, event)
    if (event.type === 'tool-output') outputs.set(event.callId, event)
  }
  return parts.flatMap(({ segment, agentId }) => {
    if (segment.type !== 'tool') return []
    const { callId } = segment
    const [streamed = '', input, output] = [streams.get(callId), inputs.get(callId), outputs.get(callId)] as const
    return [{ segment, agentId, streamed, input, output }]
  })
}

/** Whether a client may show nothing for it: a text that never got a character. */
export function isVisible({ segment }: Part): boolean {
  return !(segment.type === 'text' || segment.type === 'reasoning') || segment.text !== ''
}

/** An entry without the text that replaces its block's, for wires that can only append. */
export function withoutRewrite(entry: Entry): Entry {
  if (entry.event.type !== 'block-patch' || entry.event.text === undefined) return entry
  const { text: _text, ...event } = entry.event
  return { ...entry, event }
}
