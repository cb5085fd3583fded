import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { present } from '@millrace/core/json'
import { readResult } from '../commands.ts'
import { LogError } from '../errors.ts'
import { hasExpired } from '../lease-rules.ts'
import type { LoggedInput, MessageRow, Page, StoredCommand, StoredRun, StoredThread } from '../log.ts'
import { limitOf, pageOf, positionOf } from '../thread-pages.ts'
import { type EntryColumns, MOST_CHARACTERS, MOST_ENTRIES, packedRow, textOf, textPageOf } from './entry-rows.ts'
import {
  type CommandColumns,
  commandOf,
  type InputColumns,
  inputsOf,
  type MessageColumns,
  messageOf,
  type RunColumns,
  runOf,
  type ThreadColumns,
  threadOf,
} from './rows.ts'
import { createSearchReads, type SearchReads } from './search.ts'

const PAGE_ENTRIES = 500
/** A viewer that does not read keeps one page in memory. */
const PAGE_CHARACTERS = 64_000
const PAGE_INPUTS = 500

export interface ThreadQuery {
  readonly search: string
  readonly after: string | undefined
  readonly limit: number | undefined
}

export interface InputPage {
  readonly inputs: readonly LoggedInput[]
  /** The position of the last input. */
  readonly last: number
}

export interface Reads extends SearchReads {
  threads(query: ThreadQuery): Page<StoredThread>
  thread(threadId: string): StoredThread | undefined
  run(runId: string): StoredRun | undefined
  runs(threadId: string): readonly StoredRun[]
  lastRuns(threadIds: readonly string[]): readonly StoredRun[]
  recentRuns(since: number, limit: number): readonly StoredRun[]
  openRuns(): readonly StoredRun[]
  expired(now: number): readonly StoredRun[]
  /** Throws `unknown-run`. */
  commands(runId: string, after: number, limit: number, isOpen: boolean): readonly StoredCommand[]
  isFollowed(runId: string): boolean
  unusedFiles(): readonly string[]
  messages(threadId: string): readonly MessageRow[]
  /** Some entries after `after`, joined by line feeds; undefined if there are none. */
  page(runId: string, after: number): string | undefined
  /** Throws `unknown-run`. */
  inputs(runId: string, after: number): InputPage
  /** The next rows that are not packed, as one packed row. */
  packed(runId: string, after: number): EntryColumns | undefined
}

/** The operations of the reading thread. */
export function createReads(database: DatabaseSync): Reads {
  const all = <Row>(statement: StatementSync, ...values: SQLInputValue[]) =>
    statement.all(...values) as unknown as Row[]
  /** What it reads is one state of the file, although the writer goes on meanwhile. */
  const inOneState = <Value>(read: () => Value): Value => {
    database.exec('BEGIN')
    try {
      return read()
    } finally {
      database.exec('COMMIT')
    }
  }
  const threads = database.prepare(`
    SELECT * FROM threads
    WHERE (:isFirst OR (updated_at, id) < (:updatedAt, :id))
      AND (:search = '' OR contains(title, :search) OR EXISTS (
        SELECT 1 FROM messages WHERE chat_id = threads.id AND contains(content, :search)))
    ORDER BY updated_at DESC, id DESC LIMIT :limit`)
  const thread = database.prepare('SELECT * FROM threads WHERE id = ?')
  const run = database.prepare('SELECT * FROM runs WHERE id = ?')
  const runs = database.prepare('SELECT * FROM runs WHERE thread_id = ? ORDER BY number')
  const lastRun = database.prepare(
    'SELECT * FROM runs WHERE thread_id = ? AND parent_run_id IS NULL ORDER BY number DESC LIMIT 1',
  )
  // Runs are numbered in the order of their times: the newest are looked at, and no others.
  const recentRuns = database.prepare(`
    SELECT * FROM (SELECT * FROM runs WHERE parent_run_id IS NULL ORDER BY number DESC LIMIT ?2) WHERE created_at >= ?1`)
  const unusedFiles = database.prepare('SELECT id FROM unused_files ORDER BY id')
  const openRuns = database.prepare("SELECT * FROM runs WHERE state <> 'ended' ORDER BY number")
  const leases = database.prepare('SELECT id FROM nodes')
  const commands = database.prepare('SELECT * FROM commands WHERE run = ? AND number > ? ORDER BY number LIMIT ?')
  const follower = database.prepare('SELECT 1 FROM followers WHERE run = (SELECT number FROM runs WHERE id = ?)')
  const messages = database.prepare('SELECT * FROM messages WHERE chat_id = ? ORDER BY rowid')
  const entries = database.prepare(`
    SELECT first_seq, last_seq, stamps, lines FROM entries
    WHERE run = (SELECT number FROM runs WHERE id = ?1) AND last_seq > ?2
    UNION ALL
    SELECT first_seq, last_seq, '', lines FROM appends
    WHERE run = (SELECT number FROM runs WHERE id = ?1) AND last_seq > ?2 AND first_seq <= last_seq
    ORDER BY last_seq`)
  const unpacked = database.prepare(`
    SELECT first_seq, last_seq, stamps, lines FROM entries
    WHERE run = (SELECT number FROM runs WHERE id = ?) AND last_seq > ? AND typeof(lines) = 'text' ORDER BY last_seq`)
  const inputs = database.prepare(`
    SELECT position, kind, name, body FROM inputs
    WHERE run = (SELECT number FROM runs WHERE id = ?1) AND position > ?2
    UNION ALL
    SELECT position, 'page', NULL, inputs FROM appends
    WHERE run = (SELECT number FROM runs WHERE id = ?1) AND position > ?2 AND inputs <> ''
    ORDER BY position`)

  return {
    threads({ search, after, limit }) {
      const position = after === undefined ? { updatedAt: 0, id: '' } : positionOf(after)
      const pageLimit = limitOf(limit)
      const isFirst = after === undefined ? 1 : 0
      const rows = all<ThreadColumns>(threads, { ...position, isFirst, search, limit: pageLimit + 1 } as never)
      return pageOf(rows.map(threadOf), pageLimit)
    },
    thread: (threadId) => all<ThreadColumns>(thread, threadId).map(threadOf)[0],
    run: (runId) => all<RunColumns>(run, runId).map(runOf)[0],
    runs: (threadId) => all<RunColumns>(runs, threadId).map(runOf),
    lastRuns: (threadIds) => threadIds.flatMap((threadId) => all<RunColumns>(lastRun, threadId).map(runOf)),
    recentRuns: (since, limit) => all<RunColumns>(recentRuns, since, limit).map(runOf),
    unusedFiles: () => all<{ id: string }>(unusedFiles).map(({ id }) => id),
    openRuns: () => all<RunColumns>(openRuns).map(runOf),
    expired(now) {
      const [nodes, open] = inOneState(() => [all<{ id: string }>(leases), all<RunColumns>(openRuns)])
      const ids = new Set(nodes.map(({ id }) => id))
      return open.map(runOf).filter((each) => hasExpired(each, (nodeId) => ids.has(nodeId), now))
    },
    commands(runId, after, limit, isOpen) {
      const [row, rows] = inOneState(() => {
        const [found] = all<RunColumns>(run, runId)
        return [found, found === undefined ? [] : all<CommandColumns>(commands, found.number, after, limit)]
      })
      if (row === undefined) throw new LogError('unknown-run', runId)
      return rows
        .map(commandOf)
        .map((command) => present({ ...command, result: readResult(command.result, row.state) }))
        .filter(({ result }) => !isOpen || result === undefined)
    },
    isFollowed: (runId) => follower.get(runId) !== undefined,
    messages: (threadId) => all<MessageColumns>(messages, threadId).map(messageOf),
    page: (runId, after) =>
      textPageOf(gather(asText(rowsOf(entries, runId, after)), PAGE_ENTRIES, PAGE_CHARACTERS), after),
    inputs(runId, after) {
      // A run that is removed between two pages must not look like one that has no more inputs.
      if (run.get(runId) === undefined) throw new LogError('unknown-run', runId)
      return inputPage(rowsOf(inputs, runId, after), after)
    },
    ...createSearchReads(database),
    packed: (runId, after) => packedRow(gather(rowsOf(unpacked, runId, after), MOST_ENTRIES, MOST_CHARACTERS)),
  }
}

const rowsOf = <Row>(statement: StatementSync, runId: string, after: number) =>
  statement.iterate(runId, after) as unknown as Iterable<Row>

function* asText(rows: Iterable<EntryColumns>): Generator<EntryColumns> {
  for (const row of rows) yield { ...row, stamps: '', lines: textOf(row) }
}

/** As many rows as fit, without a gap. The first is always included, whatever its size. */
function gather(rows: Iterable<EntryColumns>, mostEntries: number, mostCharacters: number): EntryColumns[] {
  const gathered: EntryColumns[] = []
  let entries = 0
  let characters = 0
  for (const row of rows) {
    const last = gathered.at(-1)
    entries += row.last_seq - row.first_seq + 1
    // With the line feed that joins it to the next.
    characters += row.lines.length + 1
    const fits = entries <= mostEntries && characters <= mostCharacters
    if (last !== undefined && (!fits || row.first_seq !== last.last_seq + 1)) break
    gathered.push(row)
    // Looking at the next row would read it.
    if (entries >= mostEntries || characters >= mostCharacters) break
  }
  return gathered
}

function inputPage(rows: Iterable<InputColumns & { readonly position: number }>, after: number): InputPage {
  const inputs: LoggedInput[] = []
  let last = after
  let size = 0
  for (const row of rows) {
    const stored = inputsOf(row)
    // The first row may begin before: what was read from several rows is one now.
    inputs.push(...stored.slice(Math.max(0, last - (row.position - stored.length))))
    last = row.position
    size += row.body.length
    if (inputs.length >= PAGE_INPUTS || size > MOST_CHARACTERS) break
  }
  return { inputs, last }
}
