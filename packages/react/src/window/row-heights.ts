import { estimatedHeight, type Row } from './rows.ts'

/** The heights of rows, each with the gap below it: as they were measured, else estimated. */
export interface RowHeights {
  /** MUST be given a height above 0 only for a row that has a box. */
  measured(id: string, height: number): void
  /** The tops of these rows, and the bottom of the last. */
  offsets(rows: readonly Row[]): Float64Array
}

export function createRowHeights(): RowHeights {
  const heights = new Map<string, number>()
  let last: { readonly rows: readonly Row[]; readonly offsets: Float64Array } | undefined
  return {
    measured(id, height) {
      const before = heights.get(id)
      if (before !== undefined && Math.abs(before - height) < 0.5) return
      heights.set(id, height)
      last = undefined
    },
    offsets(rows) {
      if (last?.rows === rows) return last.offsets
      const offsets = new Float64Array(rows.length + 1)
      for (const [index, row] of rows.entries()) {
        offsets[index + 1] = (offsets[index] ?? 0) + (heights.get(row.id) ?? estimatedHeight(row))
      }
      last = { rows, offsets }
      return offsets
    },
  }
}
