import type { Wire } from '@millrace/core/wire'

/**
 * A position in a run's chunks on a wire: behind the `index`-th chunk, from 0, of entry `seq`. Without an index, behind all
 * chunks of the entry.
 */
export interface Cursor {
  readonly seq: number
  readonly index?: number
}

/** Writes the cursor behind a chunk, as the wire's clients get it. */
export const cursorText = ({ hasWholeEntries }: Wire): ((seq: number, index: number) => string) =>
  hasWholeEntries ? entryCursor : chunkCursor

const entryCursor = (seq: number) => `${seq}`
const chunkCursor = (seq: number, index: number) => `${seq}.${index}`

/** The cursor in a client's text; undefined if the text is not one. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text)
  if (match === null) return undefined
  const [, seq, index] = match
  return index === undefined ? { seq: Number(seq) } : { seq: Number(seq), index: Number(index) }
}

/** Whether a chunk is behind the cursor. */
export function follows({ seq, index = Number.POSITIVE_INFINITY }: Cursor, chunkSeq: number, chunkIndex: number) {
  return chunkSeq > seq || (chunkSeq === seq && chunkIndex > index)
}
