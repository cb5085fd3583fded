import { randomUUID } from 'node:crypto'
import { checkRequest } from '../append-rules.ts'
import { LogError } from '../errors.ts'
import { checkEpoch, checkLease, mayAcquire } from '../lease-rules.ts'
import type { NewRun, StoredRun } from '../log.ts'
import type { Connections } from './connections.ts'
import { stateOf } from './failures.ts'
import type { Leases } from './lease.ts'
import { newRunText, type RunColumns, runOf } from './rows.ts'
import { restored, restoredOr, storable } from './text.ts'

/** The operations about runs and their owners. */
export interface RunRows {
  createRun(run: NewRun): Promise<{ readonly run: StoredRun; readonly isNew: boolean }>
  run(runId: string): Promise<StoredRun | undefined>
  runs(threadId: string): Promise<readonly StoredRun[]>
  lastRuns(threadIds: readonly string[]): Promise<readonly StoredRun[]>
  recentRuns(since: number, limit: number): Promise<readonly StoredRun[]>
  openRuns(): Promise<readonly StoredRun[]>
  /** `isTaken`: the node has become its owner. */
  acquire(
    runId: string,
    nodeId: string,
    attempt?: number,
  ): Promise<{ readonly run: StoredRun; readonly isTaken: boolean }>
  /** The thread of the run, if the run was open. */
  release(runId: string, epoch: number, waitFor: number | undefined): Promise<string | undefined>
  expired(): Promise<readonly StoredRun[]>
}

export interface RunRowsOptions {
  readonly connections: Connections
  readonly leases: Leases
  readonly now: () => number
  /** The clock by which runs wait; undefined: the clock of the database, which all nodes share. */
  readonly waitClock: () => number | null
}

/** Milliseconds by the given clock, or by that of the database. */
const CLOCK = (parameter: string) =>
  `coalesce(${parameter}::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`

const CREATE = { name: 'create-run', text: 'SELECT * FROM create_run($1, $2, $3)' }
const FIND = { name: 'run', text: 'SELECT * FROM runs WHERE id = $1' }
const OF_THREAD = { name: 'runs', text: 'SELECT * FROM runs WHERE thread = $1 ORDER BY number' }
const LAST = {
  name: 'last-runs',
  text: `SELECT r.* FROM unnest($1::text[]) WITH ORDINALITY AS t (id, nth)
    CROSS JOIN LATERAL (
      SELECT * FROM runs WHERE thread = t.id AND parent_run IS NULL ORDER BY number DESC LIMIT 1) r ORDER BY t.nth`,
}
const RECENT = {
  name: 'recent-runs',
  text: `SELECT * FROM (SELECT * FROM runs WHERE parent_run IS NULL ORDER BY number DESC LIMIT $2) newest
    WHERE created_at >= $1 ORDER BY number DESC`,
}
const OPEN = { name: 'open-runs', text: "SELECT * FROM runs WHERE state <> 'ended' ORDER BY number" }

/** Only a node that is marked as ended has lost its runs: that no living one is seen proves nothing. */
const ACQUIRE = {
  name: 'acquire',
  text: `WITH node AS MATERIALIZED (
      SELECT id FROM nodes WHERE id = $2 AND NOT ended AND until > clock_timestamp()),
    taken AS (UPDATE runs r SET owner = $2, epoch = epoch + 1, attempt = coalesce($3, attempt), state = 'live',
        wait_until = NULL, version = version + 1, token = $4
      WHERE r.id = $1 AND state <> 'ended' AND EXISTS (SELECT FROM node) AND coalesce($3, attempt) >= attempt
        AND (owner IS NULL OR EXISTS (SELECT FROM nodes n WHERE n.id = r.owner AND n.ended)) RETURNING r.*),
    bumped AS (UPDATE threads t SET version = t.version + 1, changed_at = clock_timestamp()
      FROM taken WHERE t.id = taken.thread)
    SELECT taken.*, true AS is_taken, true AS has_lease, true AS is_held FROM taken
    UNION ALL SELECT r.*, false, EXISTS (SELECT FROM node),
      EXISTS (SELECT FROM nodes n WHERE n.id = r.owner AND NOT n.ended)
    FROM runs r WHERE r.id = $1 AND NOT EXISTS (SELECT FROM taken)`,
}
const RELEASE = {
  name: 'release',
  text: `WITH given AS (UPDATE runs r SET owner = NULL, state = 'waiting', version = version + 1,
        wait_until = ${CLOCK('$4')} + $3
      WHERE r.id = $1 AND epoch = $2 AND state <> 'ended' RETURNING thread),
    bumped AS (UPDATE threads t SET version = t.version + 1, changed_at = clock_timestamp()
      FROM given WHERE t.id = given.thread)
    SELECT (SELECT thread FROM given) AS given, r.epoch, r.state FROM runs r WHERE r.id = $1`,
}
const EXPIRED = `
  SELECT r.* FROM nodes n JOIN runs r ON r.owner = n.id WHERE n.ended AND r.state <> 'ended'
  UNION ALL SELECT * FROM runs WHERE state <> 'ended' AND owner IS NULL AND state <> 'waiting'
  UNION ALL SELECT * FROM runs WHERE state = 'waiting' AND wait_until <= ${CLOCK('$1')}`
const LIST_EXPIRED = { name: 'expired', text: `${EXPIRED} ORDER BY number` }
/** Whether there are expired runs, and in how many ms the next lease ends, if it is not renewed. */
export const HAS_EXPIRED = {
  name: 'has-expired',
  text: `SELECT EXISTS (${EXPIRED}) AS has, (SELECT extract(epoch FROM min(until) - clock_timestamp()) * 1000
    FROM nodes WHERE NOT ended)::float8 AS next_end`,
}

interface Acquired extends RunColumns {
  readonly is_taken: boolean
  readonly has_lease: boolean
  readonly is_held: boolean
}

const MOST_TRIES = 20

export function createRunRows({ connections, leases, now, waitClock }: RunRowsOptions): RunRows {
  const { read, write } = connections
  const list = async (...query: Parameters<typeof read>) => (await read<RunColumns>(...query)).map(runOf)

  function own(run: StoredRun): StoredRun {
    if (run.owner !== undefined) leases.own(run.id, run.epoch, run.owner)
    return run
  }

  const unknown = (runId: string) => new LogError('unknown-run', runId)

  async function tryToAcquire(runId: string, nodeId: string, attempt: number | undefined, token: string) {
    const values = [storable(runId), storable(nodeId), attempt ?? null, token]
    const [row] = await write<Acquired>(runId, ACQUIRE, values)
    if (row === undefined) throw unknown(runId)
    const run = runOf(row)
    // The response to an earlier try was lost.
    if (row.is_taken || row.token === token) return { run: own(run), isTaken: true }
    checkLease(nodeId, () => row.has_lease)
    const hasLease = (id: string) => (id === run.owner ? row.is_held : row.has_lease)
    // What was read may be older than what the statement met: then it is tried again.
    return mayAcquire(run, nodeId, attempt, hasLease) ? undefined : { run, isTaken: false }
  }

  return {
    async createRun(run) {
      const { idempotencyKey: key, requestHash: hash } = run
      const token = randomUUID()
      const [row] = await write<RunColumns>(run.threadId, CREATE, [newRunText(run), token, now()]).catch(
        (error: unknown) => {
          throw refusals[stateOf(error) ?? '']?.(run) ?? error
        },
      )
      if (row === undefined) throw unknown(run.id)
      if (row.token === token) return { run: own(runOf(row)), isNew: true }
      checkRequest({ key: restoredOr(row.idempotency_key), hash: restoredOr(row.request_hash) }, { key, hash })
      return { run: runOf(row), isNew: false }
    },
    run: async (runId) => (await list(FIND, [storable(runId)]))[0],
    runs: (threadId) => list(OF_THREAD, [storable(threadId)]),
    lastRuns: (threadIds) => list(LAST, [threadIds.map(storable)]),
    recentRuns: (since, limit) => list(RECENT, [since, limit]),
    openRuns: () => list(OPEN),
    async acquire(runId, nodeId, attempt) {
      const token = randomUUID()
      let isBuried = false
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        try {
          const acquired = await tryToAcquire(runId, nodeId, attempt, token)
          if (acquired !== undefined) return acquired
        } catch (error) {
          // Its owner's time may have come without anybody having noticed.
          if (isBuried || !(error instanceof LogError) || error.code !== 'run-owned') throw error
          await leases.bury()
          isBuried = true
        }
      }
      throw new LogError('run-owned', runId)
    },
    async release(runId, epoch, waitFor) {
      leases.checkFence(runId, epoch)
      const values = [storable(runId), epoch, waitFor ?? null, waitClock()]
      const [row] = await write<{ given: string | null; epoch: number; state: string }>(runId, RELEASE, values)
      if (row === undefined) throw unknown(runId)
      if (row.given === null) checkEpoch(row, epoch)
      else leases.disown(runId)
      return row.given === null ? undefined : restored(row.given)
    },
    async expired() {
      await leases.bury()
      return list(LIST_EXPIRED, [waitClock()])
    },
  }
}

const refusals: { readonly [state: string]: (run: NewRun) => LogError } = {
  MR001: ({ threadId }) => new LogError('run-live', threadId),
  MR002: ({ owner = '' }) => new LogError('unknown-node', owner),
}
