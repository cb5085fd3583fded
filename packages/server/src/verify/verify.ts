import type { Verification } from '@millrace/core/api'
import { FOLD_VERSION } from '@millrace/core/fold'
import { present } from '@millrace/core/json'
import type { FanOut } from '../deliver/fan-out.ts'
import { ENOUGH, follow } from '../deliver/follow.ts'
import type { Log, StoredRun } from '../log/log.ts'
import { type Checker, CheckFailed, createChecker } from './checker.ts'
import type { Counts, Findings } from './checks.ts'

export interface Verdict extends Verification {
  readonly runId: string
  readonly state: StoredRun['state']
  readonly foldVersion: number
}

/** The limits of a verification; beyond them it gives up. */
export interface Budget {
  readonly entries: number
  /** Of the delivered stream. */
  readonly bytes: number
  readonly milliseconds: number
}

const BUDGET: Budget = { entries: 1_000_000, bytes: 512 * 1024 * 1024, milliseconds: 60_000 }

/** The verifications of each log that are under way, by run and length. */
const underWay = new WeakMap<object, Map<string, Promise<Verdict>>>()

/** Resolves when the last requested verification is done. */
let last: Promise<unknown> = Promise.resolve()

interface Stages {
  readonly log: Pick<Log, 'read' | 'inputs'>
  readonly fanOut: FanOut
}

/**
 * Checks that a run's entries match its inputs, and that the delivered stream folds to the same snapshot. One run at a
 * time: a verification needs as much memory as the run's snapshot. Requests for the same run share one verification.
 */
export function verifyRun(stages: Stages, run: StoredRun, budget = BUDGET): Promise<Verdict> {
  const byRun = underWay.get(stages.log) ?? new Map<string, Promise<Verdict>>()
  underWay.set(stages.log, byRun)
  const key = `${run.id}\n${run.seq}\n${run.state}`
  const same = byRun.get(key)
  if (same !== undefined) return same
  const verdict = last.then(() => verify(stages, run, budget)).finally(() => byRun.delete(key))
  byRun.set(key, verdict)
  last = verdict.catch(() => {})
  return verdict
}

async function verify(stages: Stages, run: StoredRun, budget: Budget): Promise<Verdict> {
  const { id, threadId, seq, state, format, parserVersion, readerVersion, agent } = run
  const checked = { id, threadId, seq, state, format, parserVersion, ...present({ readerVersion, agent }) }
  const checker = createChecker(checked)
  try {
    const until = performance.now() + budget.milliseconds
    const isSpent = (spent: Partial<Budget>) =>
      performance.now() > until || (spent.entries ?? 0) > budget.entries || (spent.bytes ?? 0) > budget.bytes
    const isComplete =
      (await sendLog(stages, run, checker, isSpent)) && (await sendDelivered(stages, run, checker, isSpent))
    return verdictOf(run, await checker.end(), isComplete)
  } catch (error) {
    if (error instanceof CheckFailed && error.isTooLarge) return verdictOf(run, NO_FINDINGS, false)
    throw error
  } finally {
    await checker.close()
  }
}

/** The findings if the checks exceeded their memory limit. */
const NO_FINDINGS: Findings = {
  entries: 0,
  rawRecords: 0,
  foldHash: '',
  deliveredHash: '',
  reread: 'read-by-other-version',
  problems: [],
}

type IsSpent = (spent: Partial<Budget>) => boolean

/** Sends the inputs and the entries side by side, the stream that is behind first. False if the budget is exceeded. */
async function sendLog({ log }: Stages, run: StoredRun, checker: Checker, isSpent: IsSpent): Promise<boolean> {
  const stop = new AbortController()
  const logged = log.read(run.id, { after: 0, live: false, signal: stop.signal })[Symbol.asyncIterator]()
  const inputs = log.inputs(run.id)[Symbol.asyncIterator]()
  let counts: Counts = { logged: 0, reread: 0 }
  let isLogged = false
  let isRead = false
  try {
    while (!isLogged || !isRead) {
      if (isSpent({ entries: counts.logged })) return false
      if (!isRead && (isLogged || counts.reread <= counts.logged)) {
        const { done, value } = await inputs.next()
        if (done) isRead = true
        else counts = await checker.push({ of: 'inputs', inputs: value })
      } else {
        const { done, value } = await logged.next()
        if (done || (value.at(0)?.seq ?? 0) > run.seq) isLogged = true
        else counts = await checker.push({ of: 'logged', entries: value })
      }
    }
    await checker.endLog()
    return true
  } finally {
    stop.abort()
    await Promise.all([logged.return?.(), inputs.return?.()])
  }
}

/** Sends the bytes that a viewer of the native wire gets, over the same path as all viewers. */
async function sendDelivered({ fanOut }: Stages, run: StoredRun, checker: Checker, isSpent: IsSpent): Promise<boolean> {
  if (run.seq === 0) return true
  const stop = new AbortController()
  let bytes = 0
  let through = 0
  const watch = { runId: run.id, threadId: run.threadId, wire: 'native', signal: stop.signal }
  try {
    await follow(fanOut, watch, async (batch) => {
      const frames = batch.sse()
      bytes += frames.byteLength
      if (isSpent({ bytes })) return ENOUGH
      await checker.push({ of: 'delivered', bytes: frames })
      through = batch.through
      return through >= run.seq ? ENOUGH : undefined
    })
  } finally {
    stop.abort()
  }
  return through >= run.seq
}

function verdictOf({ id: runId, state }: StoredRun, findings: Findings, isComplete: boolean): Verdict {
  const head = { runId, state, foldVersion: FOLD_VERSION, isComplete }
  if (isComplete) return { ok: findings.problems.length === 0, ...findings, ...head }
  // Hashes and streams that were not read to the end differ only because of that.
  const problems = [`The run is too large to be verified whole: ${findings.entries} of its entries were read.`]
  return { ...findings, ...head, ok: false, problems }
}
