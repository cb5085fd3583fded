import { randomUUID } from 'node:crypto'
import { LogError } from '../errors.ts'
import { causeOf } from './failures.ts'
import { migrations } from './migrations.ts'
import { createSession, type Session, type SessionOptions, type Statement } from './session.ts'
import { hashOf } from './text.ts'

/** All connections of one log: at most `MOST_CONNECTIONS`, each made when it is needed. */
export interface Connections {
  /** The name by which other nodes find them. */
  readonly name: string
  /** The database's own id. */
  readonly storeId: string
  readonly appending: readonly Session[]
  readonly aside: Session
  /** For renewals only. */
  readonly lease: Session
  /** Reads, on the connection with the least to do. */
  read<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  /** Writes of one key, such as a thread's id, are performed in the order of the calls. */
  write<Row>(key: string, statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

const APPENDING = 2
const WRITING = 2
const READING = 3

/** With one aside and one for the leases; the bus has two of its own. */
export const MOST_CONNECTIONS = APPENDING + WRITING + READING + 2

/** Opens the database and migrates its tables. Rejects with `log-unreachable` or `newer-log`. */
export async function connect(url: string, leaseTtl: number): Promise<Connections> {
  const { Client, types } = await import('pg')
  checkUrl(url, (connectionString) => new Client({ connectionString }))
  const name = `millrace ${randomUUID()}`
  const session = (options: Partial<SessionOptions> = {}) => createSession(Client, types, { url, name, ...options })
  const many = (count: number) => Array.from({ length: count }, () => session())
  const storeId = await migrate(session({ statementWithin: MIGRATE_WITHIN, lockWithin: MIGRATE_WITHIN }), migrations)
  const [appending, writing, reading] = [many(APPENDING), many(WRITING), many(READING)]
  // A renewal that takes longer is of no use.
  const [aside, lease] = [session(), session({ statementWithin: leaseTtl / 3 })]
  return {
    name,
    storeId,
    appending,
    aside,
    lease,
    read: (statement, values) => leastLoaded(reading).query(statement, values),
    write: (key, statement, values) => (writing[hashOf(key) % WRITING] as Session).query(statement, values),
    async close() {
      await Promise.all([...appending, ...writing, ...reading, aside, lease].map((each) => each.close()))
    },
  }
}

/** One more connection to the database of a log, for what is kept beside it. */
export async function sessionAt(url: string, name: string): Promise<Session> {
  const { Client, types } = await import('pg')
  checkUrl(url, (connectionString) => new Client({ connectionString }))
  return createSession(Client, types, { url, name })
}

/** The error of a client that cannot read the URL may contain it, and a URL may contain a password. */
function checkUrl(url: string, parse: (url: string) => unknown): void {
  try {
    parse(url)
    if (['postgres:', 'postgresql:'].includes(new URL(url).protocol)) return
  } catch {
    // As below.
  }
  throw new LogError('log-unreachable', 'its URL must begin with postgres:// or postgresql://')
}

const leastLoaded = (sessions: readonly Session[]): Session =>
  sessions.reduce((one, other) => (other.load < one.load ? other : one))

const MIGRATE_WITHIN = 300_000

/** A number of its own among the locks that programs agree on. */
const LOCK = 6_455_721_001

/** One process migrates at a time. Resolves with the id of the store. */
export async function migrate(session: Session, steps: readonly string[]): Promise<string> {
  try {
    await session.once({ name: '', text: script(steps) })
    const [store] = await session.once<{ id: string }>({ name: 'store', text: 'SELECT id FROM store' })
    return (store as { id: string }).id
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code === 'MR009') throw new LogError('newer-log', causeOf(error))
    throw error instanceof LogError ? error : new LogError('log-unreachable', causeOf(error), { cause: error })
  } finally {
    await session.close()
  }
}

/** One transaction: all of the missing steps, or none. It holds the lock until it ends. */
const script = (steps: readonly string[]) => `
DO $migrate$
DECLARE
  found integer;
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK});
  IF to_regclass('millrace.schema_version') IS NULL THEN
    CREATE SCHEMA IF NOT EXISTS millrace;
    CREATE TABLE millrace.schema_version (version integer NOT NULL);
  END IF;
  SELECT max(version) INTO found FROM schema_version;
  IF found > ${steps.length} THEN
    RAISE EXCEPTION 'its tables have version %, this one writes version ${steps.length}', found USING ERRCODE = 'MR009';
  END IF;
${steps.map(stepText).join('')}
END $migrate$`

const stepText = (step: string, index: number) => `
  IF coalesce(found, 0) < ${index + 1} THEN
    ${step.trim().replace(/;?$/, ';')}
    INSERT INTO schema_version VALUES (${index + 1});
  END IF;
`
