import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RunDigest, SearchKind, SearchText } from '@millrace/core/fold'
import { present } from '@millrace/core/json'
import { LogError } from '../errors.ts'
import {
  emptyPage,
  type FoundRow,
  MOST_COUNTED,
  MOST_TEXTS,
  numberOf,
  pageOfHits,
  readQuery,
  type SearchPage,
  type SearchQuery,
  titleFor,
} from '../search.ts'
import { type Phrase, wordsText } from '../search-words.ts'
import type { RunColumns } from './rows.ts'

export interface SearchWrites {
  /** Returns the id of the run's thread. */
  index(runId: string, texts: readonly SearchText[], version: number, digest: RunDigest | undefined): string
  /** Removes the texts of a run, before the run. */
  removeTexts(runNumber: number): void
}

/** Part of the tables below: a text and its words in the index have the same number. */
export function createSearchWrites(database: DatabaseSync): SearchWrites {
  const selectRun = database.prepare('SELECT number, state, thread_id, parent_run_id FROM runs WHERE id = ?')
  const selectTexts = database.prepare('SELECT number, text FROM searched WHERE number BETWEEN ? AND ?')
  const removeTexts = database.prepare('DELETE FROM searched WHERE number BETWEEN ? AND ?')
  const addText = database.prepare('INSERT INTO searched VALUES (?, ?, ?, ?, ?, ?)')
  const addWords = database.prepare('INSERT INTO found (rowid, words) VALUES (?, ?)')
  // The index keeps no text: it is handed the words that it must forget.
  const forgetWords = database.prepare("INSERT INTO found (found, rowid, words) VALUES ('delete', ?, ?)")
  const note = database.prepare('UPDATE runs SET searched_version = ?, digest = coalesce(?, digest) WHERE number = ?')
  const nameThread = database.prepare(
    "UPDATE threads SET title = CASE WHEN title = '' THEN ? ELSE title END, version = version + 1 WHERE id = ?",
  )

  function remove(run: number): void {
    const range = [numberOf(run, MOST_TEXTS - 1), numberOf(run, 0)] as const
    for (const { number, text } of selectTexts.all(...range)) forgetWords.run(number as number, wordsText(String(text)))
    removeTexts.run(...range)
  }

  return {
    removeTexts: remove,
    index(runId, texts, version, digest) {
      const run = selectRun.get(runId) as unknown as IndexedColumns | undefined
      if (run === undefined) throw new LogError('unknown-run', runId)
      if (run.state !== 'ended') throw new LogError('run-live', runId)
      remove(run.number)
      for (const [nth, { kind, seq, name = null, text }] of texts.slice(0, MOST_TEXTS).entries()) {
        const number = numberOf(run.number, nth)
        addText.run(number, run.number, kind, seq, name, text)
        addWords.run(number, wordsText(text))
      }
      const parentRunId = run.parent_run_id ?? undefined
      note.run(version, digest === undefined ? null : JSON.stringify(digest), run.number)
      if (digest !== undefined) nameThread.run(titleFor(present({ parentRunId, digest })) ?? '', run.thread_id)
      return run.thread_id
    },
  }
}

type IndexedColumns = Pick<RunColumns, 'number' | 'state' | 'thread_id' | 'parent_run_id'>

export interface SearchReads {
  unindexed(version: number, limit: number): readonly string[]
  search(query: SearchQuery): SearchPage
}

interface FoundColumns {
  readonly number: number
  readonly kind: SearchKind
  readonly seq: number
  readonly name: string | null
  readonly text: string
  readonly run_id: string
  readonly thread_id: string
}

export function createSearchReads(database: DatabaseSync): SearchReads {
  const all = <Row>(statement: StatementSync, ...values: readonly (string | number)[]) =>
    statement.all(...values) as unknown as readonly Row[]
  const unindexed = database.prepare(
    "SELECT id FROM runs WHERE state = 'ended' AND searched_version <> ? ORDER BY number DESC LIMIT ?",
  )
  // The index walks from the newest row: a common word is answered without sorting what has it.
  const hits = database.prepare(`
    SELECT s.number, s.kind, s.seq, s.name, s.text, r.id AS run_id, r.thread_id
    FROM found f CROSS JOIN searched s ON s.number = f.rowid CROSS JOIN runs r ON r.number = s.run
    WHERE f.found MATCH ? AND f.rowid < ? AND (?3 = '' OR r.thread_id = ?3) AND (?4 = '' OR instr(?4, ' ' || s.kind || ' '))
    ORDER BY f.rowid DESC LIMIT ?5`)
  const counts = database.prepare(`
    SELECT kind, count(*) AS count FROM (
      SELECT s.kind FROM found f CROSS JOIN searched s ON s.number = f.rowid CROSS JOIN runs r ON r.number = s.run
      WHERE f.found MATCH ?1 AND (?2 = '' OR r.thread_id = ?2) LIMIT ${MOST_COUNTED})
    GROUP BY kind`)

  return {
    unindexed: (version, limit) => all<{ id: string }>(unindexed, version, limit).map(({ id }) => id),
    search(asked) {
      const query = readQuery(asked)
      if (query === undefined) return emptyPage
      const { phrases, kinds, threadId = '', below, limit } = query
      const match = phrases.map(matchOf).join(' AND ')
      const wanted = kinds === undefined ? '' : ` ${kinds.join(' ')} `
      const rows = all<FoundColumns>(hits, match, below, threadId, wanted, limit + 1).map(foundOf)
      const counted = all<{ kind: SearchKind; count: number }>(counts, match, threadId)
      return pageOfHits(rows, new Map(counted.map(({ kind, count }) => [kind, count])), query)
    },
  }
}

/** Words have letters and digits only, so nothing in them is a sign of the query language. */
const matchOf = ({ words, isPrefix }: Phrase) => `"${words.join(' ')}"${isPrefix ? '*' : ''}`

const foundOf = ({ name, run_id: runId, thread_id: threadId, ...row }: FoundColumns): FoundRow =>
  present({ ...row, name: name ?? undefined, runId, threadId })
