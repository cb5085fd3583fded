import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, CustomTypesConfig } from 'pg'
import { LogError } from '../errors.ts'
import { isCollision, isConnectionLost, troubleOf } from './failures.ts'

/** A statement that a connection prepares once, under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** One connection, which is made when it is needed. Its statements run one after another, in the order of the calls. */
export interface Session {
  /** Rejects as PostgreSQL does. If the connection is lost, the statement may have been performed. */
  once<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  /**
   * Repeats the statement after a lost connection, a deadlock or a key that another has just used: it MUST have the same
   * effect twice as once. Rejects with a `LogError`, or with an error of class MR.
   */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  /** How many statements are under way or wait. */
  readonly load: number
  /** Ends the connection when everything so far is done. */
  close(): Promise<void>
}

export interface SessionOptions {
  readonly url: string
  /** By which name other nodes find the connections of this one, to end them. */
  readonly name: string
  /** How long a statement may take, in ms; default: 30,000. */
  readonly statementWithin?: number
  /** How long it may wait for a lock, in ms; default: 5,000. */
  readonly lockWithin?: number
}

export type ClientClass = typeof Client

/** How long a statement is repeated after the connection was lost, in ms. */
const REPEAT_WITHIN = 10_000
const CONNECT_WITHIN = 5_000
const STATEMENT_WITHIN = 30_000
const LOCK_WITHIN = 5_000
const FIRST_PAUSE = 20
const LONGEST_PAUSE = 500
const MOST_COLLISIONS = 10

const INT8 = 20

/** The types that it leaves alone are parsed as `pg` does. */
const numbers = (inherited: CustomTypesConfig): CustomTypesConfig => ({
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? Number
      : inherited.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
})

export function createSession(
  PgClient: ClientClass,
  types: CustomTypesConfig,
  { url, name, statementWithin = STATEMENT_WITHIN, lockWithin = LOCK_WITHIN }: SessionOptions,
): Session {
  let client: Promise<Client> | undefined
  /** Connections that were lost while no statement used them. */
  const ended = new WeakSet<Client>()
  let last: Promise<unknown> = Promise.resolve()
  let load = 0
  let isClosed = false

  async function connect(): Promise<Client> {
    const made = new PgClient({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: CONNECT_WITHIN,
      keepAlive: true,
      types: numbers(types),
    })
    for (const event of ['error', 'end'] as const) made.on(event, () => void ended.add(made))
    try {
      await made.connect()
      await made.query({ text: SETTINGS, values: [Math.ceil(statementWithin), lockWithin] })
      return made
    } catch (error) {
      void end(made)
      throw error
    }
  }

  /** In an array, so that nobody waits for it here. */
  async function connection(): Promise<[Promise<Client>]> {
    const current = client
    const isEnded =
      current !== undefined &&
      (await current.then(
        (made) => ended.has(made),
        () => true,
      ))
    if (isEnded) drop(current)
    client ??= connect()
    return [client]
  }

  async function perform<Row>({ name: as, text }: Statement, values: readonly unknown[]): Promise<Row[]> {
    const [current] = await connection()
    let timer: NodeJS.Timeout | undefined
    try {
      const connected = await current
      // A server that is unplugged does not even refuse.
      timer = setTimeout(() => connected.connection.stream.destroy(), statementWithin + 1_000)
      return (await connected.query({ name: as, text, values: values as unknown[] })).rows as Row[]
    } catch (error) {
      if (isConnectionLost(error)) drop(current)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  function drop(lost: Promise<Client>): void {
    if (client === lost) client = undefined
    lost.then(end, () => undefined)
  }

  function inOrder<Value>(act: () => Promise<Value>): Promise<Value> {
    if (isClosed) return Promise.reject(new LogError('log-closed', 'go on'))
    load++
    const done = last.then(act).finally(() => load--)
    last = done.catch(() => undefined)
    return done
  }

  /** From when it was asked for: what has waited behind others in an outage is not tried for as long again. */
  async function repeat<Row>(statement: Statement, values: readonly unknown[], begun: number): Promise<Row[]> {
    let collisions = 0
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await perform<Row>(statement, values)
      } catch (error) {
        const isLate = performance.now() - begun > REPEAT_WITHIN
        const mayRepeat = isCollision(error) ? ++collisions < MOST_COLLISIONS : isConnectionLost(error) && !isLate
        if (!mayRepeat) throw isRefusal(error) ? error : troubleOf(error)
        await sleep(pause * Math.random())
      }
    }
  }

  return {
    once: (statement, values = []) => inOrder(() => perform(statement, values)),
    query(statement, values = []) {
      const begun = performance.now()
      return inOrder(() => repeat(statement, values, begun))
    },
    get load() {
      return load
    },
    async close() {
      isClosed = true
      await last
      await client?.then(end, () => undefined)
    },
  }
}

/**
 * No transaction is held open, and none waits for a lock for long: a node that pauses keeps no lock. Plans are made once; one
 * that was made for a small table must still use its index when the table has grown. Without `enable_seqscan` a scan of a
 * table without an index counts as so dear that PostgreSQL would compile it, for 80 ms each time it is executed.
 */
const SETTINGS = `SELECT set_config('search_path', 'millrace', false), set_config('statement_timeout', $1::text, false),
  set_config('lock_timeout', $2::text, false), set_config('idle_in_transaction_session_timeout', '2000', false),
  set_config('plan_cache_mode', 'force_generic_plan', false),
  set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false),
  set_config('synchronous_commit', 'on', false)`

/** What the functions of the database refuse. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && code.startsWith('MR')
}

/** A server that does not answer would never let it end. */
async function end(client: Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), 1_000)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}
