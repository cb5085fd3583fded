/** The lines of a text. A final line break ends the last line: it begins no other. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** A range of lines that are the same on both sides. */
interface Same {
  readonly before: number
  readonly after: number
  readonly count: number
}

/** More lines than these between the first and the last change, or more changes, are taken as replaced. */
const MOST_LINES = 20_000
const MOST_CHANGES = 1_200

/** The ranges that two lists of lines share, in order: all other lines were removed or added. */
export function sameRanges(before: readonly string[], after: readonly string[]): readonly Same[] {
  let head = 0
  const most = Math.min(before.length, after.length)
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const middle = rangesBetween(before.slice(head, before.length - tail), after.slice(head, after.length - tail)).map(
    (same) => ({ before: same.before + head, after: same.after + head, count: same.count }),
  )
  const ranges = [
    { before: 0, after: 0, count: head },
    ...middle,
    { before: before.length - tail, after: after.length - tail, count: tail },
  ]
  return ranges.filter(({ count }) => count > 0)
}

/** Myers' shortest list of changes. */
function rangesBetween(before: readonly string[], after: readonly string[]): readonly Same[] {
  const [rows, columns] = [before.length, after.length]
  if (rows === 0 || columns === 0 || rows + columns > MOST_LINES) return []
  const most = Math.min(rows + columns, MOST_CHANGES)
  const reached = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let changes = 0; changes <= most; changes++) {
    trace.push(reached.slice(most + 1 - changes - 1, most + 1 + changes + 2))
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const at = most + 1 + diagonal
      const isDown = isFromAbove(diagonal, changes, reached[at - 1] ?? 0, reached[at + 1] ?? 0)
      let row = isDown ? (reached[at + 1] ?? 0) : (reached[at - 1] ?? 0) + 1
      // A row counts the lines of `before`; going down takes a line of `after`.
      let column = row - diagonal
      while (row < rows && column < columns && before[row] === after[column]) {
        row++
        column++
      }
      reached[at] = row
      if (row >= rows && column >= columns) return rangesOnPath(trace, rows, columns)
    }
  }
  return []
}

const isFromAbove = (diagonal: number, changes: number, left: number, right: number) =>
  diagonal === -changes || (diagonal !== changes && left < right)

/** Follows the path back from its end: each step back is one change, preceded by lines that are the same. */
function rangesOnPath(trace: readonly Int32Array[], rows: number, columns: number): readonly Same[] {
  const ranges: Same[] = []
  let [row, column] = [rows, columns]
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const reached = trace[changes] as Int32Array
    const rowAt = (diagonal: number) => reached[diagonal + changes + 1] ?? 0
    const diagonal = row - column
    const from = isFromAbove(diagonal, changes, rowAt(diagonal - 1), rowAt(diagonal + 1)) ? diagonal + 1 : diagonal - 1
    const fromRow = changes === 0 ? 0 : rowAt(from)
    const fromColumn = changes === 0 ? 0 : fromRow - from
    const start = changes === 0 ? 0 : from === diagonal + 1 ? fromRow : fromRow + 1
    const count = row - start
    if (count > 0) ranges.push({ before: start, after: start - diagonal, count })
    row = fromRow
    column = fromColumn
  }
  return ranges.reverse()
}

/** A line of a change: kept, removed or added. */
export interface ChangedLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** Every line of both sides, in order: where they differ, first what was removed, then what was added. */
export function changedLines(before: readonly string[], after: readonly string[]): readonly ChangedLine[] {
  const lines: ChangedLine[] = []
  let [row, column] = [0, 0]
  const change = (toRow: number, toColumn: number) => {
    for (; row < toRow; row++) lines.push({ sign: '-', text: before[row] ?? '' })
    for (; column < toColumn; column++) lines.push({ sign: '+', text: after[column] ?? '' })
  }
  for (const same of sameRanges(before, after)) {
    change(same.before, same.after)
    for (let index = 0; index < same.count; index++) lines.push({ sign: ' ', text: before[row + index] ?? '' })
    row += same.count
    column += same.count
  }
  change(before.length, after.length)
  return lines
}

/** How many lines were added and removed. */
export interface LineCounts {
  readonly added: number
  readonly removed: number
}

export function countsOf(lines: readonly ChangedLine[]): LineCounts {
  const count = (sign: ChangedLine['sign']) => lines.reduce((sum, line) => sum + Number(line.sign === sign), 0)
  return { added: count('+'), removed: count('-') }
}
