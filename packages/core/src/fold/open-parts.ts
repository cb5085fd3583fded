import type { ChatEvent, Segment } from './shapes.ts'

/** Something of a run that has begun and not ended. */
export interface OpenPart {
  readonly kind: 'message' | 'text' | 'reasoning' | 'call' | 'question' | 'subagent'
  /** Of a call or a subagent. */
  readonly name?: string
  /** Its first entry. */
  readonly seq: number
}

/** What is open, in the order in which it began: the state of the formatter at this point of the stream. */
export function openPartsOf(chatEvents: readonly ChatEvent[]): readonly OpenPart[] {
  return chatEvents
    .filter(({ state }) => state === 'live')
    .flatMap(({ seqs: [seq], segments }) => [{ kind: 'message' as const, seq }, ...openIn(segments)])
    .toSorted((a, b) => a.seq - b.seq)
}

/** A call is open until it has its output, or its end without one. */
const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'denied', 'cancelled'])

function openIn(segments: readonly Segment[]): readonly OpenPart[] {
  return segments.flatMap((segment): readonly OpenPart[] => {
    const [seq] = segment.seqs
    switch (segment.type) {
      case 'text':
      case 'reasoning':
        return segment.state === 'live' ? [{ kind: segment.type, seq }] : []
      case 'tool':
        if (ENDED.has(segment.state)) return []
        return [{ kind: segment.state === 'approval' ? 'question' : 'call', name: segment.name, seq }]
      case 'approval':
        return segment.state === 'requested' ? [{ kind: 'question', seq }] : []
      case 'subagent':
        return segment.state === 'live'
          ? [{ kind: 'subagent', name: segment.name, seq }, ...openIn(segment.segments)]
          : openIn(segment.segments)
      default:
        return []
    }
  })
}
