import type { DatabaseSync } from 'node:sqlite'
import { checkRequest } from '../append-rules.ts'
import { LogError } from '../errors.ts'
import { checkLease } from '../lease-rules.ts'
import type { NewRun, StoredRun, StoredThread } from '../log.ts'
import { type Appends, createAppends } from './append.ts'
import type { EntryColumns } from './entry-rows.ts'
import { createOwnership, type OwnershipWrites } from './ownership.ts'
import { createRecentAppends } from './recent-appends.ts'
import { type RunColumns, runOf, type ThreadColumns, threadOf } from './rows.ts'
import { createSearchWrites, type SearchWrites } from './search.ts'

export interface Writes extends OwnershipWrites, Appends, Pick<SearchWrites, 'index'> {
  createThread(id: string, title: string, now: number): StoredThread
  renameThread(id: string, title: string, now: number): StoredThread | undefined
  /** The ids of the removed runs; undefined if there was no such thread. */
  deleteThread(id: string): readonly string[] | undefined
  forgetFiles(ids: readonly string[]): void
  createRun(run: NewRun, now: number): { readonly run: StoredRun; readonly isNew: boolean }
  /** Writes a few pages to test whether writes work. */
  probe(): void
  /** Prepares a run to be packed: its entries are in one table. */
  mergeRun(runId: string): void
  mergeAll(): void
  /** Whether `mergeAll` is to be called. */
  isMergeDue(): boolean
  /** Replaces the rows that this row contains. */
  repack(runId: string, row: EntryColumns): void
}

/** More than is free on a full disk where a small append may still fit. */
const PROBE_BYTES = 16 * 1024

/** The operations of the writing thread. Each runs inside a transaction that the caller has begun. */
export function createWrites(database: DatabaseSync): Writes {
  const addThread = database.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const selectThread = database.prepare('SELECT * FROM threads WHERE id = ?')
  const touchThread = database.prepare(`
    UPDATE threads SET updated_at = max(updated_at, ?), version = version + 1 WHERE id = ?`)
  const noteThread = database.prepare('UPDATE threads SET version = version + 1 WHERE id = ?')
  const nameThread = database.prepare(`
    UPDATE threads SET title = ?, updated_at = max(updated_at, ?), version = version + 1 WHERE id = ?`)
  const removeThread = database.prepare('DELETE FROM threads WHERE id = ?')
  const markUnused = database.prepare(`
    INSERT OR IGNORE INTO unused_files SELECT id FROM files AS own WHERE thread_id = ?
      AND NOT EXISTS (SELECT 1 FROM files WHERE id = own.id AND thread_id <> own.thread_id)`)
  const forgetFile = database.prepare('DELETE FROM unused_files WHERE id = ?')
  const selectOpenRun = database.prepare("SELECT id FROM runs WHERE thread_id = ? AND state <> 'ended' LIMIT 1")
  const selectRunInTheWay = database.prepare(
    "SELECT id FROM runs WHERE thread_id = ? AND state <> 'ended' AND parent_run_id IS NULL LIMIT 1",
  )
  const selectRuns = database.prepare('SELECT id, number FROM runs WHERE thread_id = ?')
  const selectRun = database.prepare('SELECT * FROM runs WHERE id = ?')
  const selectKey = database.prepare('SELECT * FROM runs WHERE thread_id = ? AND idempotency_key = ?')
  const addRun = database.prepare(`
    INSERT INTO runs (id, thread_id, idempotency_key, after_run_id, parent_run_id, agent, format, parser_version, attempt,
      request_hash, reader_version, owner, epoch, state, last_at, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const removeEntries = database.prepare('DELETE FROM entries WHERE run = ? AND last_seq BETWEEN ? AND ?')
  const writeProbe = database.prepare("INSERT OR REPLACE INTO meta VALUES ('probe', hex(randomblob(?)))")
  const addEntries = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)')
  const note = (threadId: string) => void noteThread.run(threadId)
  const ownership = createOwnership(database, note)
  const recent = createRecentAppends(database)
  const { index, removeTexts } = createSearchWrites(database)

  function threadAt(id: string): StoredThread | undefined {
    const row = selectThread.get(id) as unknown as ThreadColumns | undefined
    return row && threadOf(row)
  }

  function findRun(runId: string): RunColumns {
    const row = selectRun.get(runId) as unknown as RunColumns | undefined
    if (row === undefined) throw new LogError('unknown-run', runId)
    return row
  }

  /** The existing run, for a repeated request. */
  function repeated(existing: RunColumns, { idempotencyKey: key, requestHash: hash }: NewRun): StoredRun {
    const stored = { key: existing.idempotency_key ?? undefined, hash: existing.request_hash ?? undefined }
    checkRequest(stored, { key, hash })
    return runOf(existing)
  }

  function findExisting({ id, threadId, idempotencyKey }: NewRun): RunColumns | undefined {
    return (selectRun.get(id) ?? selectKey.get(threadId, idempotencyKey ?? null)) as unknown as RunColumns | undefined
  }

  function addNewRun(run: NewRun, state: 'queued' | 'live', now: number): void {
    addThread.run(run.threadId, '', now, now, 0)
    touchThread.run(now, run.threadId)
    const { idempotencyKey = null, afterRunId = null, parentRunId = null, agent = null, owner = null } = run
    const keys = [run.id, run.threadId, idempotencyKey, afterRunId, parentRunId, agent]
    const versions = [run.format, run.parserVersion, run.attempt, run.requestHash ?? null, run.readerVersion ?? null]
    addRun.run(...keys, ...versions, owner, owner === null ? 0 : 1, state, now, now)
  }

  return {
    createThread(id, title, now) {
      addThread.run(id, title, now, now, 1)
      return threadAt(id) as StoredThread
    },
    renameThread(id, title, now) {
      nameThread.run(title, now, id)
      return threadAt(id)
    },
    deleteThread(id) {
      const open = selectOpenRun.get(id)
      if (open !== undefined) throw new LogError('run-live', String(open.id))
      const runs = selectRuns.all(id)
      for (const { number } of runs) removeTexts(Number(number))
      const runIds = runs.map((run) => String(run.id))
      markUnused.run(id)
      return removeThread.run(id).changes > 0 ? runIds : undefined
    },
    forgetFiles(ids) {
      for (const file of ids) forgetFile.run(file)
    },
    createRun(run, now) {
      const existing = findExisting(run)
      if (existing !== undefined) return { run: repeated(existing, run), isNew: false }
      if (run.isAlone && selectRunInTheWay.get(run.threadId) !== undefined) throw new LogError('run-live', run.threadId)
      if (run.owner !== undefined) checkLease(run.owner, ownership.hasLease)
      addNewRun(run, 'live', now)
      return { run: runOf(findRun(run.id)), isNew: true }
    },
    ...createAppends(database, recent, {
      touchThread: (threadId, now) => void touchThread.run(now, threadId),
      noteThread: note,
      settle: ownership.settle,
      createFollowUp(run, now) {
        if (findExisting(run) === undefined) addNewRun(run, 'queued', now)
      },
    }),
    ...ownership,
    index,
    probe() {
      writeProbe.run(PROBE_BYTES)
    },
    mergeRun(runId) {
      recent.mergeRun(findRun(runId).number)
    },
    mergeAll: recent.mergeAll,
    isMergeDue: recent.isFull,
    repack(runId, row) {
      const run = findRun(runId)
      removeEntries.run(run.number, row.first_seq, row.last_seq)
      addEntries.run(run.number, row.last_seq, row.first_seq, row.stamps, row.lines)
    },
  }
}
