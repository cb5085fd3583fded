import { closeSync, constants, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LogError } from '../errors.ts'
import { contains } from '../thread-pages.ts'
import { isBusy } from './failures.ts'
import { migrations } from './migrations.ts'

/** How long a connection waits for another process that writes. */
const BUSY_TIMEOUT = 10_000

const DATABASE = 'millrace.db'

export const fileOf = (folder: string): string => join(folder, DATABASE)

/** How long a process may take to give the folder up, such as one that was told to end. */
const LOCK_TIMEOUT = 2_000

/**
 * Makes this process the folder's only writer, until the connection is closed or the process is gone, however it went:
 * the system itself lets go of the lock of a file.
 */
export function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(ownFile(folder, 'millrace.lock'), { timeout: LOCK_TIMEOUT })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw isBusy(cause) ? new LogError('log-taken', folder) : cause
  }
  return lock
}

/** The one connection that writes. Makes the file, for its owner alone, and brings its tables to this version. */
export function openForWriting(folder: string): DatabaseSync {
  // SQLite gives its other files the mode of this one.
  const database = new DatabaseSync(ownFile(folder, DATABASE), {
    timeout: BUSY_TIMEOUT,
    enableForeignKeyConstraints: true,
  })
  database.exec('PRAGMA journal_mode = WAL')
  // A commit is on the disk before it is acknowledged: it outlives a loss of power.
  database.exec('PRAGMA synchronous = FULL')
  // What is deleted, or packed, is overwritten: nobody finds it in the free pages.
  database.exec('PRAGMA secure_delete = ON')
  migrate(database, migrations)
  checkWhole(database, statSync(fileOf(folder)).size)
  return database
}

/** A file of 1 GiB is checked in half a second if the system has it in memory, and in some seconds if not. */
const CHECKED_WHOLE = 1024 ** 3

/** Throws `log-corrupt`. Of a large file only the tables that every answer needs are checked. */
export function checkWhole(database: DatabaseSync, size: number): void {
  const checks =
    size <= CHECKED_WHOLE ? ['quick_check(1)'] : ['meta', 'threads', 'runs'].map((table) => `quick_check('${table}')`)
  for (const check of checks) {
    const found = Object.values(database.prepare(`PRAGMA ${check}`).get() ?? {})[0]
    if (found !== 'ok') throw new LogError('log-corrupt', String(found))
  }
}

export function openForReading(folder: string): DatabaseSync {
  const database = new DatabaseSync(fileOf(folder), { readOnly: true, timeout: BUSY_TIMEOUT })
  database.function('contains', { deterministic: true }, (text, search) =>
    contains(String(text), String(search)) ? 1 : 0,
  )
  return database
}

/** The journal would keep deleted text until it happens to be overwritten. */
export function emptyJournal(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The deletion itself is durable. A disk that is full empties its journal with a later deletion, or at the end.
  }
}

/** Takes the steps that the file has not seen yet, all or none. */
export function migrate(database: DatabaseSync, steps: readonly string[]): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID')
    const version = Number(database.prepare("SELECT value FROM meta WHERE key = 'schema'").get()?.value ?? 0)
    if (version > steps.length) throw new LogError('newer-log', `its version is ${version}, this one's ${steps.length}`)
    for (const step of steps.slice(version)) database.exec(step)
    database.prepare("INSERT OR REPLACE INTO meta VALUES ('schema', ?)").run(String(steps.length))
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** What the system's codes mean for whoever has chosen the folder. */
const reasons: { readonly [code: string]: string } = {
  EACCES: 'there is no permission',
  EPERM: 'there is no permission',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'the path leads through a file',
  EEXIST: 'there is a file of that name',
  ENOENT: 'the folder cannot be made',
  EISDIR: 'there is a folder in its place',
  ELOOP: 'a symbolic link is in its place',
}

/** A file for its owner alone, made with its folder if need be. Throws a sentence that says what is in the way. */
function ownFile(folder: string, name: string): string {
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Somebody else's link must not lead us to change the file that it names.
    const handle = openSync(file, constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW, 0o600)
    fchmodSync(handle, 0o600)
    closeSync(handle)
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const isFull = code === 'ENOSPC' || code === 'EDQUOT'
    throw new LogError(isFull ? 'log-full' : 'log-failed', `"${file}" cannot be opened, ${reasons[code] ?? message}`, {
      cause,
    })
  }
  return file
}
