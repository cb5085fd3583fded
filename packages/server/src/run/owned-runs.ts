import type { Log } from '../log/log.ts'
import { attend } from './attend.ts'
import type { LiveRun } from './live-run.ts'
import { isLost } from './node.ts'
import type { Owner } from './owner.ts'
import { FIRST_PAUSE, nextPause } from './retry-pauses.ts'
import type { Sleep } from './runs.ts'

/** The runs that this node owns and feeds. */
export interface OwnedRuns {
  get(runId: string): LiveRun | undefined
  /** How many runs of this server's agents it feeds, and how many of producers elsewhere. */
  count(): { readonly agents: number; readonly producers: number }
  /** Feeds a run, and does what is asked of it. Settles like `feed`, after the run is released. */
  host(live: LiveRun): Promise<void>
  /** Gives up a run that is not hosted, for `waitFor` ms or without a limit. If the log fails it is tried again later. */
  release(owner: Pick<Owner, 'run'>, waitFor?: number): Promise<void>
  /** Tries again to give up a run that could not be, if there is one. Rejects with the log's error. */
  releaseAgain(runId: string): Promise<void>
  /** The node's lease has ended: others may feed its runs. Stops feeding them, and writes nothing more. */
  lose(): void
  /** Stores an ended run more densely and makes it searchable, in the background. */
  pack(runId: string): void
  /** Ends or releases every run. Resolves when that is done and the agents have run their `finally`, or are late. */
  close(): Promise<void>
}

export interface OwnedRunsOptions {
  readonly log: Log
  readonly report: (error: unknown, runId: string) => void
  readonly sleep: Sleep
  /** Milliseconds. */
  readonly now: () => number
  /** How long a run waits for its producer, in ms. */
  readonly resumeWithin: number
  /** How long `close` waits for the cleanup of agents, in ms. */
  readonly stopWithin: number
  /** Called when a run has ended and is packed. */
  readonly onPacked: (runId: string) => void
  /** Called when a run waits for its producer, or for an answer, and nobody owns it. */
  readonly onReleased: (runId: string, waitFor: number | undefined) => void
}

export function createOwnedRuns(options: OwnedRunsOptions): OwnedRuns {
  const { log, report, sleep, now, resumeWithin, stopWithin, onPacked, onReleased } = options
  const ownedRuns = new Map<string, { readonly live: LiveRun; readonly released: Promise<void> }>()
  /** Runs that the log did not let go of. */
  const unreleased = new Map<string, () => Promise<void>>()
  const packing = new Set<Promise<void>>()
  /** The agents of released runs that have not run their `finally` yet. */
  const closingAgents = new Set<Promise<unknown>>()
  const closing = new AbortController()

  function pack(runId: string): void {
    const packed = log
      .pack(runId)
      .catch((error: unknown) => report(error, runId))
      .finally(() => {
        packing.delete(packed)
        if (!closing.signal.aborted) onPacked(runId)
      })
    packing.add(packed)
  }

  async function release({ run }: Pick<Owner, 'run'>, waitFor?: number): Promise<void> {
    const { id, epoch } = run
    const lostAt = now()
    const attempt = async () => {
      // The wait has begun, whenever the log takes it: a disk may be full for longer than a run waits.
      const left = waitFor === undefined ? undefined : Math.max(0, waitFor - Math.max(0, now() - lostAt))
      await log.release(id, epoch, left).catch((error: unknown) => {
        if (!isLost(error)) throw error
      })
      unreleased.delete(id)
      onReleased(id, left)
    }
    unreleased.set(id, attempt)
    await attempt().catch((error: unknown) => {
      report(error, id)
      void retryRelease(id, attempt)
    })
  }

  async function retryRelease(runId: string, attempt: () => Promise<void>): Promise<void> {
    for (let pause = FIRST_PAUSE; ; pause = nextPause(pause)) {
      // Rejects when the process closes: then the lease ends anyway.
      if (!(await sleep(pause, closing.signal).then(...settled)) || unreleased.get(runId) !== attempt) return
      if (await attempt().then(...settled)) return
    }
  }

  async function hasDurableEnd(owner: Owner): Promise<boolean> {
    return (await owner.settled().then(...settled)) && owner.isEnded()
  }

  /** An ended run is packed; any other waits for its producer. */
  async function leave({ owner }: LiveRun): Promise<void> {
    const { id } = owner.run
    const isEnded = await hasDurableEnd(owner)
    ownedRuns.delete(id)
    if (isEnded) pack(id)
    // When the process closes its lease ends: the next node decides at once about what its agents left open.
    else if (!closing.signal.aborted || owner.run.agent === undefined) await release(owner, resumeWithin)
  }

  function awaitClosed({ closed }: LiveRun): void {
    if (closed === undefined) return
    const agentClosed = closed().finally(() => closingAgents.delete(agentClosed))
    closingAgents.add(agentClosed)
  }

  return {
    get: (runId) => ownedRuns.get(runId)?.live,
    count() {
      let agents = 0
      for (const { live } of ownedRuns.values()) if (live.owner.run.agent !== undefined) agents++
      return { agents, producers: ownedRuns.size - agents }
    },
    async host(live) {
      const { id } = live.owner.run
      const released = Promise.withResolvers<void>()
      ownedRuns.set(id, { live, released: released.promise })
      const attendance = attend({ log, live, sleep, report: (error) => report(error, id) })
      // `close` was called before this run arrived.
      if (closing.signal.aborted) live.leave()
      try {
        await live.feed()
      } finally {
        await attendance.stop()
        awaitClosed(live)
        await leave(live)
        released.resolve()
      }
    },
    release,
    releaseAgain: async (runId) => unreleased.get(runId)?.(),
    pack,
    lose() {
      for (const { live } of ownedRuns.values()) live.lose()
    },
    async close() {
      closing.abort()
      const timeout = new AbortController()
      // Begins now: an agent that does not stop in time has used up the time for its cleanup, too.
      const late = sleep(stopWithin, timeout.signal).catch(() => undefined)
      const all = [...ownedRuns.values()]
      for (const { live } of all) live.leave()
      await Promise.all(all.map(({ released }) => released))
      await Promise.all(packing)
      await Promise.race([Promise.allSettled(closingAgents), late])
      timeout.abort()
    },
  }
}

/** Whether a promise is fulfilled. */
const settled = [() => true, () => false] as const
