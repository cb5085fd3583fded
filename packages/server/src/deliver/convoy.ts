import type { Entry } from '@millrace/core/events'
import type { WireState } from '@millrace/core/wire'
import { batchesOf, type ChunkBatch, type CursoredChunk } from './chunk-batch.ts'

/** How many of the latest chunks a convoy keeps for viewers that are a little behind, in UTF-16 units. */
const KEPT = 512 * 1024

export interface ConvoyOptions {
  readonly wireState: WireState
  /** The entry behind which it begins. The wire's state has seen all entries up to it, or does not need to. */
  readonly after: number
  /** The entries behind that one, until the signal fires. */
  readonly read: (signal: AbortSignal) => AsyncIterable<readonly Entry[]>
  /** Writes the cursor behind a chunk. */
  readonly cursorOf: (seq: number, index: number) => string
}

/** Viewers of one run on one wire at about the same position: each entry becomes chunks once for all of them. */
export interface Convoy {
  /** The last entry that it has read. */
  after(): number
  /** Whether the run has ended and all of it was read. */
  isOver(): boolean
  /** Whether a viewer that has everything up to this entry can get the rest from here. */
  covers(position: number): boolean
  /** Whether it still reads up to the position of its first viewer, and has delivered nothing yet. */
  isUnderWay(): boolean
  /** The batch that follows an entry; undefined if it must be read first. Throws the error of the log. */
  batchAfter(position: number): ChunkBatch | undefined
  /** Reads on, and then calls `wake`. The waiting viewer has everything up to the position. */
  readOn(position: number, wake: () => void): void
  /** Does not call `wake` any more. */
  forget(wake: () => void): void
  join(): void
  /** Returns the number of viewers that are left. */
  leave(): number
}

export function createConvoy({ wireState, after: start, read, cursorOf }: ConvoyOptions): Convoy {
  const gone = new AbortController()
  const entries = read(gone.signal)[Symbol.asyncIterator]()
  const kept: ChunkBatch[] = []
  let size = 0
  let after = start
  let isOver = false
  let members = 0
  let failure: { readonly error: unknown } | undefined
  let isReading = false
  let isUnderWay = true
  let waiting = new Map<() => void, number>()

  function write(entries: readonly Entry[]): CursoredChunk[] {
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

  function keep(entries: readonly Entry[]): void {
    const through = entries.at(-1)?.seq ?? after
    const chunks = write(entries)
    // Up to the position of the first viewer, only the wire's state needs the entries.
    const isPassed = isUnderWay && through <= Math.min(...waiting.values())
    for (const batch of isPassed ? [] : batchesOf(after, through, chunks)) {
      kept.push(batch)
      size += batch.size
    }
    after = through
    // The newest entries stay, because a viewer waits for them.
    const first = entries[0]?.seq ?? 0
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
    batchAfter(position) {
      if (failure !== undefined) throw failure.error
      // The only viewer never goes back, so what it has taken is dropped.
      while (members === 1 && kept[0] !== undefined && kept[0].through <= position) drop()
      const batch = kept[indexBehind(kept, position)]
      if (batch !== undefined) isUnderWay = false
      return batch
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
      // The signal reaches a reader only while it is waited for. No viewer is left, so a failure has no consequence.
      entries.return?.().catch(() => undefined)
      return 0
    },
  }
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
