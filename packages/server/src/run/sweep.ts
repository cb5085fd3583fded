import type { Log, StoredRun } from '../log/log.ts'
import { FIRST_PAUSE, nextPause } from './retry-pauses.ts'
import type { Sleep } from './runs.ts'

/** Finds the runs that somebody must decide about: their owner or their wait has ended, or nobody has begun them. */
export interface Sweep {
  /** Looks at once, and later at the runs that wait already. Never rejects: what fails is reported and tried again. */
  begin(): Promise<void>
  /** Looks again after this time, in ms. */
  after(milliseconds: number): void
  close(): void
}

export interface SweepOptions {
  readonly log: Log
  readonly sleep: Sleep
  readonly now: () => number
  readonly settle: (run: StoredRun) => Promise<void>
  /** Does what was asked of a run, in the background: whoever stored the command may have died before it did it. */
  readonly serve: (runId: string) => void
  readonly report: (error: unknown, runId: string) => void
}

/** How many runs are decided about at once. */
const AT_ONCE = 16

/** Waits that end within this time, in ms, are looked at together. */
const TOGETHER = 20

/** Within this time, in ms, nodes look at what another one has left. */
const SPREAD = 200

export function createSweep({ log, sleep, now, settle, serve, report }: SweepOptions): Sweep {
  const closing = new AbortController()
  let unwatch: () => void = () => undefined
  let retry = FIRST_PAUSE
  /** When to look, in ms of `performance.now`, and the timer for the earliest. */
  let due: number[] = []
  let timer: { readonly at: number; readonly controller: AbortController } | undefined

  /** Runs that an earlier look decides about, and whether one has found them again since. */
  const deciding = new Map<string, boolean>()
  let isListing = false

  /** Decisions that take long are not made twice at the same time: an overloaded log would get slower with each look. */
  async function list(): Promise<StoredRun[]> {
    isListing = true
    try {
      const expired = await log.expired()
      const left = expired.filter(({ id }) => !deciding.has(id))
      for (const { id } of expired) deciding.set(id, deciding.has(id))
      return left
    } finally {
      isListing = false
      arm()
    }
  }

  /** Resolves with whether all could be decided about. */
  async function decide(): Promise<boolean> {
    const left = await list()
    let isDone = true
    async function work(): Promise<void> {
      for (let run = left.shift(); run !== undefined; run = left.shift()) {
        const { id } = run
        if (!closing.signal.aborted) {
          await settle(run).catch((error: unknown) => {
            isDone = false
            report(error, id)
          })
        }
        const isFoundAgain = deciding.get(id) === true
        deciding.delete(id)
        if (isFoundAgain) after(0)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    for (const run of await log.openRuns()) if (waitsWithoutLimit(run)) serve(run.id)
    return isDone
  }

  async function look(): Promise<void> {
    const isDone = await decide().catch((error: unknown) => {
      report(error, '')
      return false
    })
    if (!isDone) after(retry)
    retry = isDone ? FIRST_PAUSE : nextPause(retry)
  }

  /** One timer for all waits. */
  function arm(): void {
    const at = due.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
    if (closing.signal.aborted || at === Number.POSITIVE_INFINITY || (timer !== undefined && timer.at <= at)) return
    timer?.controller.abort()
    const next = { at, controller: new AbortController() }
    timer = next
    sleep(Math.max(0, Math.round(at - performance.now())), next.controller.signal).then(
      () => onTime(next),
      // A timer for an earlier time has replaced it, or there is nothing more to look at.
      () => undefined,
    )
  }

  async function onTime(fired: NonNullable<typeof timer>): Promise<void> {
    if (timer === fired) timer = undefined
    // Armed again when the list is there.
    if (isListing) return
    // What has become due during an earlier look, too.
    const looked = Math.max(fired.at, performance.now())
    due = due.filter((at) => at > looked + TOGETHER)
    await look()
    arm()
  }

  function after(milliseconds: number): void {
    due.push(performance.now() + milliseconds)
    arm()
  }

  return {
    async begin() {
      // Before anything is decided: what is released from now on is looked at by itself.
      const waiting = await log.openRuns()
      for (const { waitUntil } of waiting) if (waitUntil !== undefined) after(Math.max(0, waitUntil - now()))
      // Nodes that hear of it at the same time do not look at the same time.
      unwatch = log.watch('expired', () => after(Math.random() * SPREAD))
      await look()
    },
    after,
    close() {
      unwatch()
      closing.abort()
      timer?.controller.abort()
    },
  }
}

/** No time will come at which somebody decides about it. */
const waitsWithoutLimit = ({ state, owner, waitUntil }: StoredRun) =>
  state === 'waiting' && owner === undefined && waitUntil === undefined
