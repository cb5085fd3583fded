import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { startServer, type TestServer } from './server.ts'

const PROGRAMS = ['initdb', 'postgres', 'psql', 'pg_isready']

/** What a test does with a PostgreSQL, its own or a shared one. */
export interface PostgresAccess {
  /** A superuser's URL. */
  readonly url: string
  /** A new and empty database; resolves with its URL. */
  createDatabase(): Promise<string>
  /** The rows of a statement, as `psql` prints them: fields divided by `|`, in the database of the URL. */
  query(sql: string, url?: string): Promise<string>
  /** Ends every connection to the database of the URL. */
  cut(url?: string): Promise<void>
}

export interface PostgresOptions {
  /** Whether commits wait for the disk. Without it only a crash of the machine loses any; default: true. */
  readonly fsync?: boolean
}

/** Tests make hundreds of databases: neither their files nor what few rows they have are worth the server's time. */
const FOR_MANY_DATABASES = `-c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 \
      -c max_wal_size=1GB -c autovacuum=off`

const programs = findPrograms()

/** Why there is no PostgreSQL, for the names of tests that need one; undefined if there is one. */
export const postgresAbsence =
  programs === undefined
    ? 'there is no PostgreSQL: install it (Debian: `apt-get install postgresql`), or put its programs into PATH'
    : undefined

/** A PostgreSQL of the caller's own. */
export async function startPostgres({ fsync = true }: PostgresOptions = {}): Promise<TestServer & PostgresAccess> {
  if (programs === undefined) throw new Error(postgresAbsence)
  const password = randomBytes(16).toString('hex')
  const user = userForRoot()
  const server = await startServer({
    name: 'postgres',
    programs,
    prepare: `"$BIN/initdb" -D data -U postgres --pwfile=password --auth=scram-sha-256 --encoding=UTF8 --no-locale \
      --no-sync --wal-segsize=1`,
    serve: `exec "$BIN/postgres" -D data -p "$PORT" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
      -c max_connections=200 -c shared_buffers=32MB ${fsync ? '' : FOR_MANY_DATABASES}`,
    signal: 'QUIT',
    ...(user && { user }),
    files: () => ({ password }),
    url: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    answers: (url) =>
      run('pg_isready', ['--quiet'], url).then(
        () => true,
        () => false,
      ),
  })
  return Object.assign(server, accessPostgres(server.url))
}

export function accessPostgres(url: string): PostgresAccess {
  const query = (sql: string, at = url) => run('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', sql], at)
  return {
    url,
    query,
    async createDatabase() {
      const name = `test_${randomBytes(8).toString('hex')}`
      await query(`CREATE DATABASE ${name}`)
      return Object.assign(new URL(url), { pathname: `/${name}` }).href
    },
    async cut(at) {
      await query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        at,
      )
    },
  }
}

/** Runs a program on a database. The password is in no list of processes. */
async function run(program: string, options: readonly string[], url: string): Promise<string> {
  const { username, password, hostname, port, pathname } = new URL(url)
  const env = {
    PGUSER: username,
    PGPASSWORD: password,
    PGHOST: hostname,
    PGPORT: port,
    PGDATABASE: pathname.slice(1),
  }
  const { stdout } = await promisify(execFile)(join(programs ?? '', program), options, { env })
  return stdout.trim()
}

/** A folder that has them all: on Debian `/usr/bin` has only those of clients. */
function findPrograms(): string | undefined {
  const hasAll = (folder: string) => PROGRAMS.every((program) => existsSync(join(folder, program)))
  const inPath = (process.env.PATH ?? '').split(delimiter)
  const installed = globSync('/usr/lib/postgresql/*/bin').sort(byVersion)
  return [...inPath, ...installed].find(hasAll) ?? configuredFolders().find(hasAll)
}

function configuredFolders(): readonly string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()]
  } catch {
    return []
  }
}

/** The newest first. */
function byVersion(one: string, other: string): number {
  return other.localeCompare(one, 'en', { numeric: true })
}

/** PostgreSQL refuses to run as root. Its package creates a user for it. */
function userForRoot(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const ids = ['postgres', 'nobody'].map((name) => ['-u', '-g'].map((option) => spawnSync('id', [option, name])))
  const [uid, gid] = ids.find(([found]) => found?.status === 0) ?? []
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}
