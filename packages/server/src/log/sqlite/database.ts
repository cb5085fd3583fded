import { closeSync, constants, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { LogError } from '../errors.ts'
import { contains } from '../thread-pages.ts'
import { isBusy } from './failures.ts'
import { migrations } from './migrations.ts'
import { sqliteModule } from './sqlite-module.ts'

const { DatabaseSync: Database } = sqliteModule()

/** How long a connection waits for another process that writes, in ms. */
const BUSY_TIMEOUT = 10_000

const DATABASE = 'millrace.db'

export const fileOf = (folder: string): string => join(folder, DATABASE)

/** How long another process may take to release the folder, such as one that is ending, in ms. */
const LOCK_TIMEOUT = 2_000

/**
 * Makes this process the folder's only writer until the connection is closed or the process has ended, for any reason:
 * the operating system releases a file's lock.
 */
export function lockFolder(folder: string): DatabaseSync {
  const lock = new Database(ownFile(folder, 'millrace.lock'), { timeout: LOCK_TIMEOUT })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw isBusy(cause) ? new LogError('log-taken', folder) : cause
  }
  return lock
}

/** The only connection that writes. Creates the file, readable only by its owner, and migrates its tables. */
export function openForWriting(folder: string): DatabaseSync {
  // SQLite gives its other files the mode of this one.
  const database = new Database(ownFile(folder, DATABASE), {
    timeout: BUSY_TIMEOUT,
    enableForeignKeyConstraints: true,
  })
  database.exec('PRAGMA journal_mode = WAL')
  // A commit is on the disk before it is acknowledged: it survives a loss of power.
  database.exec('PRAGMA synchronous = FULL')
  // Deleted and packed data is overwritten, so that it cannot be found in the free pages.
  database.exec('PRAGMA secure_delete = ON')
  migrate(database, migrations)
  checkWhole(database, statSync(fileOf(folder)).size)
  return database
}

/** Checking 1 GiB takes half a second if the file is in the system's cache, and a few seconds if not. */
const CHECKED_WHOLE = 1024 ** 3

/** Throws `log-corrupt` if the file is damaged. Of a large file only the tables of every request are checked. */
export function checkWhole(database: DatabaseSync, size: number): void {
  const checks =
    size <= CHECKED_WHOLE
      ? ['quick_check(1)']
      : ['meta', 'threads', 'runs', 'appends'].map((table) => `quick_check('${table}')`)
  for (const check of checks) {
    const found = Object.values(database.prepare(`PRAGMA ${check}`).get() ?? {})[0]
    if (found !== 'ok') throw new LogError('log-corrupt', String(found))
  }
}

export function openForReading(folder: string): DatabaseSync {
  const database = new Database(fileOf(folder), { readOnly: true, timeout: BUSY_TIMEOUT })
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
    // The deletion itself is durable. If the disk is full, a later deletion or closing the log empties the journal.
  }
}

/** Runs the migrations that the file has not had yet, all or none. */
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

/** The operating system's error codes in plain words, for error messages. */
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

/** Creates a file, and its folder, readable only by its owner. Throws an error that says why it cannot. */
function ownFile(folder: string, name: string): string {
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // A link that another user placed here must not make this process change the link's target.
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
