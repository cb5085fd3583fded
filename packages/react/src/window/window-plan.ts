/** Rows that are drawn, or a space as high as those that are not. */
export type WindowPart = { readonly row: number } | { readonly space: number }

/** Which rows are drawn: those around the screen, and the one that holds the focus. */
export interface WindowPlan {
  readonly first: number
  /** The last row around the screen; less than `first` if there are no rows. */
  readonly last: number
  /** The rows that are drawn and the spaces between them, from the first row of the thread to its last. */
  readonly parts: readonly WindowPart[]
}

/** The gaps of the style sheet, in pixels: between the pieces of a turn, and between turns. */
export const PIECE_GAP = 6
export const TURN_GAP = 14

/** How much is drawn beyond the screen, in pixels, above and below. */
const MARGIN = 1_000

/** Rows are drawn anew once less than this is drawn beyond the screen. */
const LEAST = 350

/**
 * The rows that intersect the screen and its margins. `offsets` are the tops of all rows, and the bottom of the last.
 * The screen begins at `top` and is `height` high.
 */
export function rangeAt(offsets: Float64Array, top: number, height: number): Pick<WindowPlan, 'first' | 'last'> {
  if (offsets.length <= 1) return { first: 0, last: -1 }
  return { first: rowAt(offsets, top - MARGIN), last: rowAt(offsets, top + height + MARGIN) }
}

/** `focused` is the row that holds the focus, if any. */
export function planOf(offsets: Float64Array, first: number, last: number, focused: number | undefined): WindowPlan {
  const rows = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const isApart = focused !== undefined && (focused < first || focused > last)
  const drawn = isApart ? [...rows, focused].sort((one, other) => one - other) : rows
  const parts: WindowPart[] = []
  const end = offsets.length - 1
  let next = 0
  for (const row of [...drawn, end]) {
    const space = (offsets[row] ?? 0) - (offsets[next] ?? 0)
    if (space > 0) parts.push({ space })
    if (row < end) parts.push({ row })
    next = row + 1
  }
  return { first, last, parts }
}

export function wholePlan(count: number): WindowPlan {
  return { first: 0, last: count - 1, parts: Array.from({ length: count }, (_, row) => ({ row })) }
}

/** Whether enough is drawn around the screen. */
export function isCovered({ first, last }: WindowPlan, offsets: Float64Array, top: number, height: number): boolean {
  const isCoveredAbove = first === 0 || (offsets[first] ?? 0) <= top - LEAST
  const isCoveredBelow = last >= offsets.length - 2 || (offsets[last + 1] ?? 0) >= top + height + LEAST
  return isCoveredAbove && isCoveredBelow
}

/** The row at this height: the last whose top is not below it. */
export function rowAt(offsets: Float64Array, y: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}
