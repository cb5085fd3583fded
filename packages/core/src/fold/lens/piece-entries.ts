import type { Entry } from '../../entry.ts'
import { createFold } from '../fold.ts'
import type { Segment } from '../shapes.ts'

/**
 * Which entries made which segments of a run. The fold itself says what each entry begins or changes, so nothing here can
 * differ from what is drawn. A segment is named by its first entry: one entry begins at most one segment.
 */
export interface PieceEntries {
  /** Takes entries in order. Those that were taken before are ignored. */
  push(entries: readonly Entry[]): void
  /** The entries that began or changed a segment, in order; of a subagent also those of what it contains. */
  entriesOf(segment: Segment): readonly number[]
  /** The segments that an entry began or changed, by their first entries, without the subagents around them. */
  piecesOf(seq: number): readonly number[]
}

export function createPieceEntries(): PieceEntries {
  const byPiece = new Map<number, number[]>()
  const byEntry = new Map<number, number | readonly number[]>()

  function watch(seq: number, piece: number): void {
    const entries = byPiece.get(piece) ?? []
    if (entries.at(-1) === seq) return
    entries.push(seq)
    byPiece.set(piece, entries)
    // Nearly every entry changes one segment.
    byEntry.set(seq, byEntry.has(seq) ? [...piecesOf(seq), piece] : piece)
  }

  function piecesOf(seq: number): readonly number[] {
    const pieces = byEntry.get(seq) ?? []
    return typeof pieces === 'number' ? [pieces] : pieces
  }

  const fold = createFold({ watch })

  return {
    push: fold.push,
    entriesOf(segment) {
      const own = byPiece.get(segment.seqs[0]) ?? []
      if (segment.type !== 'subagent') return own
      const all = new Set(own)
      for (const inner of contentsOf(segment.segments)) for (const seq of byPiece.get(inner) ?? []) all.add(seq)
      return [...all].sort((one, other) => one - other)
    },
    piecesOf,
  }
}

/** The first entries of segments, and of all that they contain. */
function contentsOf(segments: readonly Segment[]): readonly number[] {
  return segments.flatMap((segment) => [
    segment.seqs[0],
    ...(segment.type === 'subagent' ? contentsOf(segment.segments) : []),
  ])
}
