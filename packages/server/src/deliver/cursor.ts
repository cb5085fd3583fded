/**
 * A place in what a wire says of a run: after the `index`-th chunk, from 0, that entry `seq` makes. Without an index,
 * after all chunks of the entry.
 */
export interface Cursor {
  readonly seq: number
  readonly index?: number
}

/** The wires on which each entry is one chunk, whatever came before: there an entry's number says it all. */
const wholeEntryWires: ReadonlySet<string> = new Set(['native'])

export const saysWholeEntries = (wire: string): boolean => wholeEntryWires.has(wire)

/** How the cursor behind a chunk is written. */
export const cursorText = (wire: string): ((seq: number, index: number) => string) =>
  saysWholeEntries(wire) ? (seq) => `${seq}` : (seq, index) => `${seq}.${index}`

/** A cursor from what a client sent; nothing where it is none. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text)
  if (match === null) return undefined
  const [, seq, index] = match
  return index === undefined ? { seq: Number(seq) } : { seq: Number(seq), index: Number(index) }
}

/** Whether a chunk stands behind the cursor. */
export function follows({ seq, index = Number.POSITIVE_INFINITY }: Cursor, chunkSeq: number, chunkIndex: number) {
  return chunkSeq > seq || (chunkSeq === seq && chunkIndex > index)
}
