import type { DatabaseSync } from 'node:sqlite'
import { joined, MOST_CHARACTERS, MOST_ENTRIES } from './entry-rows.ts'
import type { HandedText } from './handed-text.ts'

/**
 * Small appends of all runs are stored in the order of their arrival: the rows of one commit share a few pages of the
 * file, where a row in the place of its run would write a page of its own. When they have become many, they are merged
 * into the tables that are ordered by run. Of each run, the rows here are the newest.
 */
export interface RecentAppends {
  add(row: AppendColumns): void
  /** MUST be called before rows of this run are written to the other tables. */
  mergeRun(run: number): void
  mergeAll(): void
  /** Whether there is so much that it is to be merged. */
  isFull(): boolean
}

interface AppendColumns {
  readonly run: number
  readonly last_seq: number
  readonly first_seq: number
  /** The position of the run's last input. */
  readonly position: number
  /** Empty, as the inputs are, if it has none. */
  readonly lines: string
  readonly inputs: string
}

/** A larger append fills pages of its own wherever it is stored. */
const SMALL_APPEND = 16 * 1024
/** So many characters are merged at once: the more, the fewer pages are written, and the longer the next commit waits. */
const FULL = 256 * 1024

/** Whether an append of these texts is small; an append of several rows of a kind never is. */
export const isSmall = (texts: readonly HandedText[]): boolean =>
  texts.every((text) => typeof text === 'string') && texts.reduce((sum, { length }) => sum + length, 0) <= SMALL_APPEND

export function createRecentAppends(database: DatabaseSync): RecentAppends {
  const addAppend = database.prepare(
    'INSERT INTO appends (run, last_seq, first_seq, position, lines, inputs) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const columns = 'run, last_seq, first_seq, position, lines, inputs'
  const ofRun = database.prepare(`SELECT ${columns} FROM appends WHERE run = ? ORDER BY last_seq, number`)
  const ofAll = database.prepare(`SELECT ${columns} FROM appends ORDER BY run, last_seq, number`)
  const removeRun = database.prepare('DELETE FROM appends WHERE run = ?')
  const removeAll = database.prepare('DELETE FROM appends')
  const addEntries = database.prepare("INSERT INTO entries VALUES (?, ?, ?, '', ?)")
  const addInputs = database.prepare("INSERT INTO inputs VALUES (?, ?, 'page', NULL, ?)")
  const size = database.prepare(
    'SELECT coalesce(sum(length(lines) + length(inputs) + 1), 0) AS characters FROM appends',
  )
  /** Only decides when rows are merged, so it need not be exact after a roll-back. */
  let characters = Number(size.get()?.characters)

  function writeMerged(rows: readonly AppendColumns[]): void {
    for (const part of partsOf(rows)) {
      const [first, last] = [part[0] as AppendColumns, part.at(-1) as AppendColumns]
      const lines = part.filter((row) => row.lines !== '').map((row) => row.lines)
      const inputs = part.map((row) => row.inputs).join('')
      if (lines.length > 0) addEntries.run(first.run, last.last_seq, first.first_seq, joined(lines))
      if (inputs !== '') addInputs.run(first.run, last.position, inputs)
    }
  }

  return {
    add(row) {
      addAppend.run(row.run, row.last_seq, row.first_seq, row.position, row.lines, row.inputs)
      characters += sizeOf(row)
    },
    mergeRun(run) {
      const rows = ofRun.all(run) as unknown as AppendColumns[]
      if (rows.length === 0) return
      writeMerged(rows)
      removeRun.run(run)
      for (const row of rows) characters -= sizeOf(row)
    },
    mergeAll() {
      writeMerged(ofAll.all() as unknown as AppendColumns[])
      removeAll.run()
      characters = 0
    },
    isFull: () => characters >= FULL,
  }
}

/** With the line feed that joins it to the next. */
const sizeOf = ({ lines, inputs }: AppendColumns) => lines.length + inputs.length + 1

/** Consecutive rows of one run that are merged into one row. */
function* partsOf(rows: readonly AppendColumns[]): Generator<readonly AppendColumns[]> {
  let from = 0
  let characters = 0
  for (const [at, row] of rows.entries()) {
    const first = rows[from] as AppendColumns
    characters += sizeOf(row)
    const fits = row.last_seq - first.first_seq < MOST_ENTRIES && characters <= MOST_CHARACTERS
    if (at > from && (row.run !== first.run || !fits)) {
      yield rows.slice(from, at)
      from = at
      characters = sizeOf(row)
    }
  }
  if (rows.length > from) yield rows.slice(from)
}
