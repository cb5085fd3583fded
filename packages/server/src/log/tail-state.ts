import type { EntryLines } from './entry-lines.ts'

const KEPT_ENTRIES = 512
const KEPT_CHARACTERS = 1_000_000

interface Batch {
  readonly added: EntryLines
  readonly lastSeq: number
  readonly characters: number
}

export interface WaitingReader {
  goOn(): void
}

/** One run that has readers: its position and its last entries, bounded. */
export interface Tail {
  readonly unfollow: (() => void) | undefined
  readers: number
  /** Whether the position was read from the store, and no hint says that there is more; later commits update it. */
  isHeadRead: boolean
  /** How many hints led to a look at the store. */
  hints: number
  seq: number
  isEnded: boolean
  isGone: boolean
  /** The error that its readers get. */
  trouble: Error | undefined
  batches: Batch[]
  entries: number
  characters: number
  waiting: WaitingReader[]
}

export const newTail = (unfollow: (() => void) | undefined): Tail => ({
  unfollow,
  readers: 0,
  isHeadRead: false,
  hints: 0,
  seq: 0,
  isEnded: false,
  isGone: false,
  trouble: undefined,
  batches: [],
  entries: 0,
  characters: 0,
  waiting: [],
})

export function wakeAll(tail: Tail): void {
  const { waiting } = tail
  tail.waiting = []
  for (const reader of waiting) reader.goOn()
}

/** Keeps a batch in memory and drops the oldest ones: a slower reader reads from the store. */
export function keep(tail: Tail, added: EntryLines): void {
  const characters = added.lines.reduce((sum, { length }) => sum + length, 0)
  const batch = { added, lastSeq: added.after + added.lines.length, characters }
  tail.batches.push(batch)
  tail.entries += batch.added.lines.length
  tail.characters += batch.characters
  while (tail.entries > KEPT_ENTRIES || tail.characters > KEPT_CHARACTERS) {
    const oldest = tail.batches.shift()
    if (oldest === undefined) return
    tail.entries -= oldest.added.lines.length
    tail.characters -= oldest.characters
  }
}

/** The next entries from memory. A reader that keeps up gets the commit's own lines, without a copy. */
export function recent({ batches }: Tail, after: number): EntryLines | undefined {
  let at = batches.length
  while (at > 0 && (batches[at - 1] as Batch).lastSeq > after) at--
  const next = batches[at]
  return next === undefined || next.added.after > after ? undefined : next.added.behind(after)
}
