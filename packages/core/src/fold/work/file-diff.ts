import type { FileState } from './file-state.ts'
import { type ChangedLine, changedLines, linesOf } from './line-diff.ts'

/** A line of a file's diff. */
export interface DiffRow extends ChangedLine {
  /** The number of the line before the run, and now; undefined where the line is not, or where it is not known. */
  readonly before?: number
  readonly after?: number
  /** The step that wrote an added line; 0: it was there before the run saw it. */
  readonly step?: number
  /** The part that differs from its counterpart on the other side. */
  readonly mark?: readonly [from: number, to: number]
  /** Begins a part whose distance from the rows above is not known. */
  readonly startsPart?: boolean
}

const byFile = new WeakMap<FileState, readonly DiffRow[]>()

/** What the run changed of a file, with all lines that it left: of a file whose base is not known, only its changes. */
export function diffRowsOf(file: FileState): readonly DiffRow[] {
  const before = byFile.get(file)
  if (before !== undefined) return before
  const rows = withMarks(canCompare(file) ? comparedRows(file) : partRows(file))
  byFile.set(file, rows)
  return rows
}

function canCompare({ base, now }: FileState): boolean {
  return base !== undefined && now !== undefined
}

function comparedRows({ base, now, blame }: FileState): readonly DiffRow[] {
  const [old, current] = [base, now].map((text) => linesOf(typeof text === 'object' ? text.text : ''))
  let [before, after] = [0, 0]
  return changedLines(old ?? [], current ?? []).map((line): DiffRow => {
    if (line.sign !== '+') before++
    if (line.sign !== '-') after++
    if (line.sign === '-') return { ...line, before }
    if (line.sign === '+') return { ...line, after, step: blame[after - 1] ?? 0 }
    return { ...line, before, after }
  })
}

/** What each version says of its changes, one below the other; then a text that was written over an unseen one. */
function partRows({ versions, base, now, blame }: FileState): readonly DiffRow[] {
  if (typeof now === 'object' && base === undefined && versions.every(({ shows }) => shows === 'text')) {
    return linesOf(now.text).map((text, index) => {
      const step = blame[index] ?? 0
      return step === 0 ? { sign: ' ', text, after: index + 1 } : { sign: '+', text, after: index + 1, step }
    })
  }
  return versions.flatMap(({ hunks, step }) =>
    hunks.flatMap(({ start, lines }) => {
      let number = start
      return lines.map((line, index): DiffRow => {
        const before = line.sign === '+' || number === undefined ? undefined : number++
        return {
          ...line,
          ...(before !== undefined && { before }),
          ...(line.sign === '+' && { step }),
          ...(index === 0 && { startsPart: true }),
        }
      })
    }),
  )
}

/** Marks what differs in lines that were exchanged: the first removed one against the first added one, and so on. */
function withMarks(rows: readonly DiffRow[]): readonly DiffRow[] {
  const marked = rows.slice()
  for (let at = 0; at < rows.length; at++) {
    const removed = lengthOfSign(rows, at, '-')
    if (removed === 0) continue
    const added = lengthOfSign(rows, at + removed, '+')
    for (let index = 0; index < Math.min(removed, added); index++) {
      const [old, now] = [rows[at + index], rows[at + removed + index]] as [DiffRow, DiffRow]
      const marks = differenceOf(old.text, now.text)
      if (marks === undefined) continue
      marked[at + index] = { ...old, mark: marks.before }
      marked[at + removed + index] = { ...now, mark: marks.after }
    }
    at += removed + added - 1
  }
  return marked
}

function lengthOfSign(rows: readonly DiffRow[], from: number, sign: DiffRow['sign']): number {
  let length = 0
  while (rows[from + length]?.sign === sign && (length === 0 || rows[from + length]?.startsPart !== true)) length++
  return length
}

interface Difference {
  readonly before: readonly [from: number, to: number]
  readonly after: readonly [from: number, to: number]
}

/** The different middle of two lines, from the start of a word to the end of one; undefined if they share too little. */
function differenceOf(before: string, after: string): Difference | undefined {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  while (head > 0 && isInWord(before, head)) head--
  while (tail > 0 && isInWord(before, before.length - tail)) tail--
  const shared = before.slice(0, head).trim().length + before.slice(before.length - tail).trim().length
  if (shared * 4 < Math.max(before.trim().length, after.trim().length)) return undefined
  return { before: [head, before.length - tail], after: [head, after.length - tail] }
}

const isInWord = (text: string, at: number) => /\w/.test(text[at - 1] ?? '') && /\w/.test(text[at] ?? '')

/** Lines that are left out between changes. */
export interface DiffGap {
  /** The rows from `from` up to, without, `to`. */
  readonly from: number
  readonly to: number
}

/** The rows that a reader needs: all changes and a few lines around them. What is left out are gaps, in order. */
export function gapsOf(rows: readonly DiffRow[], context = 3): readonly DiffGap[] {
  const gaps: DiffGap[] = []
  let start = 0
  const close = (end: number, isLast: boolean) => {
    const [from, to] = [start === 0 ? 0 : start + context, isLast ? end : end - context]
    // A gap of one line would take as much space as the line.
    if (to - from > 1) gaps.push({ from, to })
  }
  rows.forEach((row, index) => {
    if (row.sign === ' ' && row.startsPart !== true) return
    close(index, false)
    start = index + 1
  })
  if (start > 0) close(rows.length, true)
  return gaps
}

const SYMBOL =
  /^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|pub\s+|abstract\s+)*(?:function\*?|class|def|func|fn|interface|type|struct|enum|impl|trait|module|namespace)\s+([A-Za-z_$][\w$]*)/

/** The name of the function or class in which a row stands. */
export function symbolAt(rows: readonly DiffRow[], index: number): string | undefined {
  for (let at = index; at >= 0 && index - at < 400; at--) {
    const row = rows[at]
    const name = row === undefined || row.sign === '-' ? undefined : SYMBOL.exec(row.text)?.[1]
    if (name !== undefined) return name
  }
  return undefined
}
