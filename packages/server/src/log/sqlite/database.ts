import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LogError } from '../errors.ts'
import { contains } from '../thread-pages.ts'
import { migrations } from './migrations.ts'

/** How long a connection waits for another process that writes. */
const BUSY_TIMEOUT = 10_000

const DATABASE = 'millrace.db'

export const fileOf = (folder: string): string => join(folder, DATABASE)

/** A file for its owner alone, made with its folder if need be. */
function ownFile(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

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
    throw new LogError('log-taken', folder, { cause })
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
  migrate(database, migrations)
  return database
}

export function openForReading(folder: string): DatabaseSync {
  const database = new DatabaseSync(fileOf(folder), { readOnly: true, timeout: BUSY_TIMEOUT })
  database.function('contains', { deterministic: true }, (text, search) =>
    contains(String(text), String(search)) ? 1 : 0,
  )
  return database
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
