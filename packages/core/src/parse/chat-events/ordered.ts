import type { StreamEvent } from '../../events.ts'
import type { RawPiece } from './raw.ts'

/** Events of one message, put back into the order in which they were logged. */
export interface Ordered {
  /** An event with which a piece began. */
  begin(piece: RawPiece, event: StreamEvent): void
  /** An event of a piece after another one began. */
  after(other: RawPiece, event: StreamEvent): void
  /** An event with which a piece ended. */
  end(piece: RawPiece, event: StreamEvent): void
  events(): readonly StreamEvent[]
}

/** Places are whole numbers: between the first entry of a piece and the next place there is room. */
const AFTER = 0.25
const END = 0.5

/**
 * A piece knows the first and the last of its entries. Events of equal places stay as they came, and so do all where an
 * export does not say its places.
 */
export function createOrdered(): Ordered {
  const placed: { readonly place: number; readonly event: StreamEvent }[] = []
  let latest = 0

  function add(place: number | undefined, event: StreamEvent): void {
    latest = place ?? latest
    placed.push({ place: latest, event })
  }

  return {
    begin: (piece, event) => add(piece.seqs?.[0], stamped(event, piece.startedAt)),
    after: (other, event) => add(other.seqs && other.seqs[0] + AFTER, event),
    end: (piece, event) =>
      add(piece.seqs && Math.max(piece.seqs[1], piece.seqs[0] + END), stamped(event, piece.endedAt)),
    events: () => placed.sort((one, other) => one.place - other.place).map(({ event }) => event),
  }
}

function stamped(event: StreamEvent, sentAt: number | undefined): StreamEvent {
  return sentAt === undefined ? event : { ...event, sentAt }
}
