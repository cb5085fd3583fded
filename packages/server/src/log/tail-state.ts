import type { EntryLines } from './entry-lines.ts'

const KEPT_ENTRIES = 512
const KEPT_CHARACTERS = 1_000_000

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
  batches: EntryLines[]
  entries: number
  characters: number
  /** Readers that had everything when they began to wait. */
  waiting: WaitingReader[]
  /** Whether they are about to be woken, and may lack something. */
  isDue: boolean
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
  isDue: false,
})

export function wakeAll(tail: Tail): void {
  const { waiting } = tail
  tail.isDue = false
  tail.waiting = []
  for (const reader of waiting) reader.goOn()
}

/**
 * Keeps a batch in memory and drops the oldest ones: a slower reader reads from the store. What every reader has is dropped
 * at once: batches that grow old cost a seventh of all work of delivering (`bench/rows/serve.ts`).
 */
export function keep(tail: Tail, added: EntryLines): void {
  if (tail.isDue || tail.waiting.length < tail.readers) tail.batches.push(added)
  else {
    tail.batches = [added]
    tail.entries = 0
    tail.characters = 0
  }
  tail.entries += added.lines.length
  tail.characters += charactersOf(added)
  while (tail.entries > KEPT_ENTRIES || tail.characters > KEPT_CHARACTERS) {
    const oldest = tail.batches.shift()
    if (oldest === undefined) return
    tail.entries -= oldest.lines.length
    tail.characters -= charactersOf(oldest)
  }
}

function charactersOf({ lines }: EntryLines): number {
  let characters = 0
  for (const line of lines) characters += line.length
  return characters
}

const lastOf = ({ after, lines }: EntryLines): number => after + lines.length

/** The next entries from memory. A reader that keeps up gets the commit's own lines, without a copy. */
export function recent({ batches }: Tail, after: number): EntryLines | undefined {
  let at = batches.length
  while (at > 0 && lastOf(batches[at - 1] as EntryLines) > after) at--
  const next = batches[at]
  return next === undefined || next.after > after ? undefined : next.behind(after)
}
