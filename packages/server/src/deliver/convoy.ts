import type { Entry } from '@millrace/core/entry'
import type { WireState } from '@millrace/core/wire/wire'
import { type Piece, type Placed, piecesOf } from './piece.ts'

/** How much of what was said lately a convoy keeps for those who are a little behind, in UTF-16 units. */
const KEPT = 512 * 1024

export interface ConvoyOptions {
  readonly wireState: WireState
  /** The entry behind which it begins. The formatter has seen that one and all before it, or does not need to. */
  readonly after: number
  /** The entries behind that one, until the signal fires. */
  readonly read: (signal: AbortSignal) => AsyncIterable<readonly Entry[]>
  /** The cursor that stands behind a chunk. */
  readonly cursorOf: (seq: number, index: number) => string
}

/** Viewers of one wire of one run who stand at about the same place: entries are formatted once for all of them. */
export interface Convoy {
  /** How far it is. */
  after(): number
  /** Whether the run has ended and everything is said. */
  isOver(): boolean
  /** Whether a viewer that has everything up to an entry can get the rest from here. */
  covers(position: number): boolean
  /** Whether it is still on its way to those who found it: nobody has got anything from it. */
  isUnderWay(): boolean
  /** What follows an entry; nothing where it must read on first. Throws what the log has thrown. */
  pieceAfter(position: number): Piece | undefined
  /** Reads on, and wakes whoever waits when it has. He has everything up to the position. */
  readOn(position: number, wake: () => void): void
  /** Wakes him no more. */
  forget(wake: () => void): void
  join(): void
  /** The number of those who are left. */
  leave(): number
}

export function createConvoy({ wireState, after: start, read, cursorOf }: ConvoyOptions): Convoy {
  const gone = new AbortController()
  const entries = read(gone.signal)[Symbol.asyncIterator]()
  const kept: Piece[] = []
  let size = 0
  let after = start
  let isOver = false
  let members = 0
  let failure: { readonly error: unknown } | undefined
  let isReading = false
  let isUnderWay = true
  let waiting = new Map<() => void, number>()

  function place(batch: readonly Entry[]): Placed[] {
    const placed: Placed[] = []
    for (const entry of batch) {
      const chunks = wireState.push(entry)
      for (let index = 0; index < chunks.length; index++) {
        const chunk = chunks[index]
        if (chunk !== undefined) placed.push({ cursor: cursorOf(entry.seq, index), chunk, entry, index })
      }
    }
    return placed
  }

  function keep(batch: readonly Entry[]): void {
    const through = batch.at(-1)?.seq ?? after
    const placed = place(batch)
    // On the way to where somebody wants to be, the formatter has to hear everything, and nobody else.
    const isPassed = isUnderWay && through <= Math.min(...waiting.values())
    for (const piece of isPassed ? [] : piecesOf(after, through, placed)) {
      kept.push(piece)
      size += piece.size
    }
    after = through
    // At least the last batch stays: somebody waits for it.
    const first = batch[0]?.seq ?? 0
    while (size > KEPT && kept[1] !== undefined && kept[1].after < first) drop()
  }

  function drop(): void {
    const oldest = kept.shift()
    if (oldest !== undefined) size -= oldest.size
  }

  async function readNext(): Promise<void> {
    isReading = true
    try {
      const next = await entries.next()
      if (next.done === true) isOver = true
      else keep(next.value)
    } catch (error) {
      failure = { error }
    }
    isReading = false
    const woken = waiting
    waiting = new Map()
    for (const wake of woken.keys()) wake()
  }

  return {
    after: () => after,
    isOver: () => isOver,
    covers: (position) => position <= after && position >= (kept[0]?.after ?? after),
    isUnderWay: () => isUnderWay,
    pieceAfter(position) {
      if (failure !== undefined) throw failure.error
      // Who travels alone needs nothing behind him.
      while (members === 1 && kept[0] !== undefined && kept[0].through <= position) drop()
      const piece = kept[indexBehind(kept, position)]
      if (piece !== undefined) isUnderWay = false
      return piece
    },
    readOn(position, wake) {
      waiting.set(wake, position)
      if (!isReading) void readNext()
    },
    forget(wake) {
      waiting.delete(wake)
    },
    join() {
      members++
    },
    leave() {
      members--
      if (members > 0) return members
      gone.abort()
      // A reader that nobody is waiting for does not see the signal.
      // No viewer reads on, so a failure is of no consequence.
      entries.return?.().catch(() => undefined)
      return 0
    },
  }
}

/** The piece that says what follows the entry; -1 where there is none. */
function indexBehind(pieces: readonly Piece[], position: number): number {
  let [low, high] = [0, pieces.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const piece = pieces[middle] as Piece
    if (piece.through <= position) low = middle + 1
    else if (piece.after > position) high = middle - 1
    else return middle
  }
  return -1
}
