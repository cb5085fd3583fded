import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { RawSpan } from './raw.ts'

/** The events of one message, restored to the order in which they were logged. */
export interface OrderedEvents {
  /** The subagent that the events belong to, unless they name their own. */
  readonly agentId: string | undefined
  /** The same events, for those of a subagent. */
  within(agentId: string): OrderedEvents
  /** Adds the event that began a span. */
  begin(span: RawSpan, event: StreamEvent): void
  /** Adds an event that follows the start of another span. */
  after(other: RawSpan, event: StreamEvent): void
  /** Adds the event that ended a span. */
  end(span: RawSpan, event: StreamEvent): void
  events(): readonly StreamEvent[]
}

/** Positions are whole numbers, so fractions fit between the first entry of a span and the next position. */
const AFTER = 0.25
const END = 0.5

/**
 * A span holds the positions of its first and its last entry. Events of equal positions keep the order in which they
 * were added, and so do all events if the export has no positions.
 */
export function createOrderedEvents(): OrderedEvents {
  const positioned: { readonly position: number; readonly event: StreamEvent }[] = []
  let latest = 0

  function add(position: number | undefined, event: StreamEvent): void {
    latest = position ?? latest
    positioned.push({ position: latest, event })
  }

  const of = (agentId: string | undefined): OrderedEvents => ({
    agentId,
    within: of,
    begin: (span, event) => add(span.seqs?.[0], scoped(event, agentId, span.startedAt)),
    after: (other, event) => add(other.seqs && other.seqs[0] + AFTER, scoped(event, agentId, undefined)),
    end({ seqs, endedAt }, event) {
      add(seqs && Math.max(seqs[1], seqs[0] + END), scoped(event, agentId, endedAt))
    },
    events: () => positioned.sort((one, other) => one.position - other.position).map(({ event }) => event),
  })
  return of(undefined)
}

function scoped(event: StreamEvent, agentId: string | undefined, sentAt: number | undefined): StreamEvent {
  return { ...present({ agentId }), ...event, ...present({ sentAt }) }
}
