import { type DiffGap, type DiffRow, diffRowsOf, type FileState, gapsOf, linesOf, symbolAt } from '@millrace/core/work'

/** How the editor shows a file. */
export type CodeView = 'code' | 'diff' | 'split'

/** A row of the editor: a line, or what stands for lines that are left out. */
export type EditorRow = LineRow | PairRow | GapRow

interface LineRow {
  readonly kind: 'line'
  readonly row: DiffRow
  /** The first of adjacent lines of one step: it shows the number of the step. */
  readonly startsBlock: boolean
}

interface PairRow {
  readonly kind: 'pair'
  readonly left?: DiffRow
  readonly right?: DiffRow
  readonly startsBlock: boolean
}

export interface GapRow {
  readonly kind: 'gap'
  readonly gap: DiffGap
  readonly position: 'above' | 'between' | 'below' | 'unknown'
  /** The function or class in which the next change stands. */
  readonly symbol?: string
}

/** The rows of a file. Gaps that begin at a row of `opened` are shown. */
export function editorRowsOf(file: FileState, view: CodeView, opened: ReadonlySet<number>): readonly EditorRow[] {
  if (view === 'code') return withBlocks(codeRows(file))
  const rows = diffRowsOf(file)
  // Where the base is not known, every row is a change.
  const gaps = gapsOf(rows).filter(({ from }) => !opened.has(from))
  const shown: EditorRow[] = []
  let at = 0
  const addUpTo = (end: number) => {
    const part = rows.slice(at, end)
    for (const piece of dividedAtParts(part)) {
      if (piece[0]?.startsPart === true) shown.push({ kind: 'gap', gap: { from: at, to: at }, position: 'unknown' })
      shown.push(...(view === 'split' ? pairsOf(piece) : withBlocks(piece)))
      at += piece.length
    }
  }
  for (const gap of gaps) {
    addUpTo(gap.from)
    const position = gap.to === rows.length ? 'below' : gap.from === 0 ? 'above' : 'between'
    const changed = rows.findIndex(({ sign }, index) => index >= gap.to && sign !== ' ')
    const symbol = position === 'below' ? undefined : symbolAt(rows, changed)
    shown.push({ kind: 'gap', gap, position, ...(symbol !== undefined && { symbol }) })
    at = gap.to
  }
  addUpTo(rows.length)
  return shown
}

/** The file as it is now: nothing if its text is not known. */
function codeRows({ now, blame }: FileState): readonly DiffRow[] {
  if (typeof now !== 'object') return []
  return linesOf(now.text).map((text, index) => {
    const step = blame[index] ?? 0
    return { sign: ' ', text, after: index + 1, ...(step > 0 && { step }) }
  })
}

const stepOf = (row: DiffRow | undefined) => (row?.step === 0 ? undefined : row?.step)

function withBlocks(rows: readonly DiffRow[]): readonly LineRow[] {
  return rows.map((row, index) => ({
    kind: 'line',
    row,
    startsBlock: stepOf(row) !== undefined && stepOf(row) !== stepOf(rows[index - 1]),
  }))
}

/** Rows that belong together: each part after the first begins at an unknown distance. */
function dividedAtParts(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const parts: DiffRow[][] = []
  for (const row of rows) {
    if (row.startsPart === true || parts.length === 0) parts.push([])
    parts.at(-1)?.push(row)
  }
  return parts
}

/** The old text at the left, the new one at the right: what was exchanged stands in one row. */
function pairsOf(rows: readonly DiffRow[]): readonly PairRow[] {
  const pairs: Omit<PairRow, 'startsBlock'>[] = []
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as DiffRow
    if (row.sign === ' ') {
      pairs.push({ kind: 'pair', left: row, right: row })
      at++
      continue
    }
    const removed = lengthOf(rows, at, '-')
    const added = lengthOf(rows, at + removed, '+')
    for (let index = 0; index < Math.max(removed, added); index++) {
      const left = index < removed ? rows[at + index] : undefined
      const right = index < added ? rows[at + removed + index] : undefined
      pairs.push({ kind: 'pair', ...(left && { left }), ...(right && { right }) })
    }
    at += removed + added
  }
  return pairs.map((pair, index) => {
    const step = stepOf(pair.right)
    return { ...pair, startsBlock: step !== undefined && step !== stepOf(pairs[index - 1]?.right) }
  })
}

function lengthOf(rows: readonly DiffRow[], from: number, sign: DiffRow['sign']): number {
  let length = 0
  while (rows[from + length]?.sign === sign) length++
  return length
}
