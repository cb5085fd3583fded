import type { Entry } from '@millrace/core/events'
import type { WireState } from '@millrace/core/wire'
import type { EntryLines } from '../log/entry-lines.ts'
import { type GivingReader, givingReaderOf, type ReadingReceiver } from '../log/lines-reader.ts'
import { batchesOf, batchesOfLines, type ChunkBatch, type CursoredChunk } from './chunk-batch.ts'

/** How many of the latest chunks a convoy keeps for viewers that are a little behind, in UTF-16 units. */
const KEPT = 512 * 1024

export interface ConvoyOptions {
  /** Left out if the wire's chunks are the entries themselves: their lines are sent as they are stored. */
  readonly wireState?: WireState
  /** The entry behind which it begins. The wire's state has seen all entries up to it, or does not need to. */
  readonly after: number
  /** The entries behind that one. */
  readonly lines: AsyncIterable<EntryLines>
  /** Writes the cursor behind a chunk. */
  readonly cursorOf: (seq: number, index: number) => string
}

export interface Waiting {
  wake(): void
}

/** A waiting viewer, which has everything up to the position. */
export interface WaitingViewer extends Waiting {
  readonly position: number
}

/** Viewers of one run on one wire at about the same position: each entry becomes chunks once for all of them. */
export class Convoy implements ReadingReceiver<EntryLines> {
  readonly #wireState: WireState | undefined
  readonly #cursorOf: ConvoyOptions['cursorOf']
  readonly #lines: GivingReader<EntryLines>
  #kept: ChunkBatch[] = []
  #size = 0
  #after: number
  #isOver = false
  #members = 0
  #failure: { readonly error: unknown } | undefined
  #isReading = false
  #isUnderWay = true
  #waiting: WaitingViewer[] = []

  constructor(options: ConvoyOptions) {
    this.#wireState = options.wireState
    this.#cursorOf = options.cursorOf
    this.#after = options.after
    this.#lines = givingReaderOf(options.lines)
  }

  /** The last entry that it has read. */
  get after(): number {
    return this.#after
  }

  /** Whether the run has ended and all of it was read. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether it still reads up to the position of its first viewer, and has delivered nothing yet. */
  get isUnderWay(): boolean {
    return this.#isUnderWay
  }

  /** Whether a viewer that has everything up to this entry can get the rest from here. */
  covers(position: number): boolean {
    return position <= this.#after && position >= (this.#kept[0]?.after ?? this.#after)
  }

  /** The batch that follows an entry; undefined if it must be read first. Throws the error of the log. */
  batchAfter(position: number): ChunkBatch | undefined {
    if (this.#failure !== undefined) throw this.#failure.error
    // The only viewer never goes back, so what it has taken is dropped.
    while (this.#members === 1 && this.#kept[0] !== undefined && this.#kept[0].through <= position) this.#drop()
    const batch = this.#kept[indexBehind(this.#kept, position)]
    if (batch !== undefined) this.#isUnderWay = false
    return batch
  }

  /** Reads on, and then wakes the viewer. */
  readOn(viewer: WaitingViewer): void {
    // Most convoys have one viewer, and a first push would make room for seventeen.
    if (this.#waiting.length === 0) this.#waiting = [viewer]
    else this.#waiting.push(viewer)
    if (this.#isReading) return
    this.#lines.give(this)
    this.#isReading = true
  }

  /** Does not wake the viewer any more. */
  forget(viewer: WaitingViewer): void {
    this.#waiting = this.#waiting.filter((each) => each !== viewer)
  }

  join(): void {
    this.#members++
  }

  /** Returns the number of viewers that are left. */
  leave(): number {
    this.#members--
    if (this.#members > 0) return this.#members
    // No viewer is left, so a failure has no consequence.
    this.#lines.return().catch(() => undefined)
    return 0
  }

  /** Called by the reader. */
  add(next: IteratorResult<EntryLines, undefined>): void {
    try {
      if (next.done === true) this.#isOver = true
      else this.#keep(next.value)
    } catch (error) {
      this.#failure = { error }
    }
    this.#wakeAll()
  }

  /** Called by the reader. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.#wakeAll()
  }

  #wakeAll(): void {
    this.#isReading = false
    const woken = this.#waiting
    this.#waiting = []
    for (const viewer of woken) viewer.wake()
  }

  #keep(added: EntryLines): void {
    const through = added.after + added.lines.length
    const batches = this.#batchesOf(added, through)
    for (const batch of batches) this.#size += batch.size
    // A first push would make room for seventeen.
    if (this.#kept.length === 0) this.#kept = batches
    else this.#kept.push(...batches)
    this.#after = through
    // The newest entries stay, because a viewer waits for them.
    while (this.#size > KEPT && this.#kept[1] !== undefined && this.#kept[1].after <= added.after) this.#drop()
  }

  #batchesOf(added: EntryLines, through: number): ChunkBatch[] {
    if (this.#wireState === undefined) return batchesOfLines(added)
    const chunks = chunksOf(this.#wireState, added.entries(), this.#cursorOf)
    // Up to the position of the first viewer, only the wire's state needs the entries.
    const isPassed = this.#isUnderWay && this.#waiting.every(({ position }) => through <= position)
    return isPassed ? [] : batchesOf(this.#after, through, chunks)
  }

  #drop(): void {
    const oldest = this.#kept.shift()
    if (oldest !== undefined) this.#size -= oldest.size
  }
}

function chunksOf(
  wireState: WireState,
  entries: readonly Entry[],
  cursorOf: ConvoyOptions['cursorOf'],
): readonly CursoredChunk[] {
  const written: CursoredChunk[] = []
  for (const entry of entries) {
    const chunks = wireState.push(entry)
    for (let index = 0; index < chunks.length; index++) {
      const chunk = chunks[index]
      if (chunk !== undefined) written.push({ cursor: cursorOf(entry.seq, index), chunk, entry, index })
    }
  }
  return written
}

/** The index of the batch that follows the entry; -1 if there is none. */
function indexBehind(batches: readonly ChunkBatch[], position: number): number {
  let [low, high] = [0, batches.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const batch = batches[middle] as ChunkBatch
    if (batch.through <= position) low = middle + 1
    else if (batch.after > position) high = middle - 1
    else return middle
  }
  return -1
}
