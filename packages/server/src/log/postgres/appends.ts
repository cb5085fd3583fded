import { checkMessage, checkRepeated, isNext } from '../append-rules.ts'
import { parseLines } from '../entry-lines.ts'
import { LogError } from '../errors.ts'
import { type PreparedAppend, parametersOf, restampedAppend } from './append-batch.ts'
import { appendStatements, type Verdict } from './append-statement.ts'
import { isCollision, isConnectionLost, isLockTimeout, troubleOf } from './failures.ts'
import { type HeadColumns, headOf } from './rows.ts'
import type { Session } from './session.ts'
import { hashOf } from './text.ts'

/** How the appends of all runs get into the database. */
export interface Appends {
  /** Resolves when the append is durable. The appends of one run are stored in the order of the calls. */
  add(prepared: PreparedAppend): Promise<Appended>
}

export interface Appended {
  /** The lines as they are stored. */
  readonly lines: readonly string[]
  /** The number of its run in this database; no other run ever has it. */
  readonly number: number
  readonly threadId: string
}

export interface AppendsOptions {
  /** Each run has one of them, always the same: two batches are under way at once. */
  readonly writers: readonly Session[]
  /** For one append at a time that is large, or whose run is locked: it lets the others pass. */
  readonly aside: Session
  /** Stored lines of a run, by its number: entries `after` + 1 to `after` + `count`. */
  readonly stored: (run: number, after: number, count: number) => Promise<readonly string[]>
  /** Throws if this node may not write the run any more. */
  readonly checkFence: (runId: string, epoch: number) => void
}

/** In one statement. */
const MOST_APPENDS = 128
const MOST_BYTES = 512 * 1024
/** An append of more bytes goes aside: others would wait for it. */
const LARGE = 256 * 1024
/** A run that was locked this often is waited for, aside. */
const MOST_SKIPS = 3
/** How long an append is repeated after a lost connection, in ms. */
const REPEAT_WITHIN = 10_000
const PAUSE = 25

interface Job {
  prepared: PreparedAppend
  skips: number
  readonly begun: number
  readonly done: PromiseWithResolvers<Appended>
}

interface Row extends HeadColumns {
  readonly verdict: Verdict
}

/** One writing connection and the runs that it writes. */
interface Lane {
  readonly session: Session
  /** What waits, by run, in order. */
  readonly waiting: Map<string, Job[]>
  isBusy: boolean
}

export function createAppends({ writers, aside, stored, checkFence }: AppendsOptions): Appends {
  const lanes: readonly Lane[] = writers.map((session) => ({ session, waiting: new Map(), isBusy: false }))
  /** Runs with an append under way, in a batch or aside: a run is in one statement at a time. */
  const underWay = new Set<string>()

  const laneOf = (runId: string) => lanes[hashOf(runId) % lanes.length] as Lane

  function wait(job: Job, isFirst: boolean): void {
    const { waiting } = laneOf(job.prepared.request.runId)
    const { runId } = job.prepared.request
    const jobs = waiting.get(runId) ?? []
    if (isFirst) jobs.unshift(job)
    else jobs.push(job)
    waiting.set(runId, jobs)
  }

  /** At most one append of each run. Those that go aside are sent from here. */
  function take(lane: Lane): Job[] {
    const batch: Job[] = []
    let bytes = 0
    for (const [runId, jobs] of lane.waiting) {
      const [job] = jobs
      if (job === undefined || underWay.has(runId)) continue
      const isAside = job.prepared.bytes > LARGE || job.skips >= MOST_SKIPS
      if (!isAside && batch.length > 0 && bytes + job.prepared.bytes > MOST_BYTES) continue
      jobs.shift()
      if (jobs.length === 0) lane.waiting.delete(runId)
      if (!isAllowed(job)) continue
      underWay.add(runId)
      if (isAside) void send(lane, aside, [job], 'waiting')
      else bytes += batch.push(job) && job.prepared.bytes
      if (batch.length >= MOST_APPENDS) break
    }
    return batch
  }

  function isAllowed({ prepared, done }: Job): boolean {
    try {
      checkFence(prepared.request.runId, prepared.request.epoch)
      return true
    } catch (error) {
      done.reject(error)
      return false
    }
  }

  async function pump(lane: Lane): Promise<void> {
    if (lane.isBusy) return
    lane.isBusy = true
    // What is appended at the same time goes into the same statement.
    await new Promise(setImmediate)
    for (let batch = take(lane); batch.length > 0; batch = take(lane)) await send(lane, lane.session, batch, 'skipping')
    lane.isBusy = false
  }

  async function send(lane: Lane, session: Session, jobs: readonly Job[], lock: keyof typeof appendStatements) {
    try {
      const { values, isFull } = parametersOf(jobs.map(({ prepared }) => prepared))
      const statements = appendStatements[lock]
      const rows = await session.once<Row>(isFull ? statements.full : statements.plain, values)
      for (const [index, row] of rows.entries()) settlements[row.verdict](jobs[index] as Job, row)
      if (rows.every(({ verdict }) => verdict === 'busy')) await pause()
    } catch (error) {
      await recover(lane, session, jobs, error)
    }
    for (const { prepared } of jobs) underWay.delete(prepared.request.runId)
    if (session === aside) void pump(lane)
  }

  /** Any error of a batch concerns one of its appends at most: each is sent alone. */
  async function recover(lane: Lane, session: Session, jobs: readonly Job[], error: unknown): Promise<void> {
    const isRepeated = isConnectionLost(error) || isCollision(error) || isLockTimeout(error)
    if (jobs.length > 1 && !isRepeated) {
      for (const job of jobs) await send(lane, session, [job], 'skipping')
      return
    }
    for (const job of jobs.toReversed()) {
      const isLate = performance.now() - job.begun > REPEAT_WITHIN
      if (isRepeated && !isLate) wait({ ...job, skips: job.skips + 1 }, true)
      else job.done.reject(troubleOf(error))
    }
    await pause()
  }

  const settlements: { readonly [Name in Verdict]: (job: Job, row: Row) => void } = {
    ok: ({ prepared, done }, row) => done.resolve(appendedOf(prepared.lines, row)),
    unknown: ({ prepared, done }) => done.reject(new LogError('unknown-run', prepared.request.runId)),
    refused: ({ prepared, done }, row) => void refused(prepared, row).then(done.resolve, done.reject),
    busy: (job) => wait({ ...job, skips: job.skips + 1 }, true),
    stamp: (job, row) => wait({ ...job, prepared: restampedAppend(job.prepared, row) }, true),
  }

  /** The response to an earlier try may have been lost: then its entries are stored. */
  async function refused({ request, append, lines }: PreparedAppend, row: Row): Promise<Appended> {
    const head = headOf(row)
    checkMessage(head, append.message)
    isNext(head, request)
    const found = request.events === 0 ? [] : await stored(row.number, request.afterSeq, request.events)
    // There were entries after this one, so the run has been removed meanwhile.
    if (found.length === 0 && request.events > 0 && request.afterSeq < head.seq) {
      throw new LogError('unknown-run', request.runId)
    }
    checkRepeated(head, request, parseLines(found), parseLines(lines))
    return appendedOf(found, row)
  }

  const appendedOf = (lines: readonly string[], row: Row): Appended => ({
    lines,
    number: row.number,
    threadId: headOf(row).threadId,
  })

  return {
    add(prepared) {
      const job: Job = { prepared, skips: 0, begun: performance.now(), done: Promise.withResolvers() }
      wait(job, false)
      void pump(laneOf(prepared.request.runId))
      return job.done.promise
    },
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE * Math.random()))
