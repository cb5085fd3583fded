import type { Log } from '../log/log.ts'
import type { ApprovalAnswer } from './agent.ts'
import type { Owner } from './owner.ts'
import type { RunStatuses } from './run-statuses.ts'
import type { Sleep } from './runs.ts'
import type { Waits } from './waits.ts'

/** A run that this process feeds, from an agent or from a producer's body. */
export interface LiveRun {
  readonly owner: Owner
  /** Feeds the run until it has ended or is released. Throws the error that the producer gets. */
  feed(): Promise<void>
  /** Requests a stop. Resolves when the request is logged; the end follows. */
  stop(by: string | undefined): Promise<void>
  /** Called when an approval's answer is durable: the agent that waits for it continues. */
  wake(approvalId: string, answer: ApprovalAnswer): void
  /** The process is closing: the run ends cleanly if it can, otherwise it is left for the next start. */
  leave(): void
  /** Releases the run at once, for this reason, without ending it. */
  cut(reason: Error): void
  /** After `feed`: settles when the agent has run its `finally`, which may be never. Absent if there is no agent. */
  closed?(): Promise<unknown>
}

/** The runs that are fed in this process. */
export interface LiveRuns {
  get(runId: string): LiveRun | undefined
  /** Feeds a run. Settles like `feed`, after the run is released. */
  host(live: LiveRun): Promise<void>
  /** Resolves when this process no longer feeds the run. */
  released(runId: string): Promise<void>
  /** Stores an ended run more densely, in the background. */
  pack(runId: string): void
  /** Ends or releases every run. Resolves when that is done and the agents have run their `finally`, or are late. */
  close(): Promise<void>
}

export interface LiveRunsOptions {
  readonly log: Log
  readonly waits: Waits
  readonly statuses: RunStatuses
  readonly report: (error: unknown, runId: string) => void
  readonly sleep: Sleep
  /** How long `close` waits for the cleanup of agents, in ms. */
  readonly stopWithin: number
  /** Called with each run before it is fed. */
  readonly onHost: (live: LiveRun) => void
}

export function createLiveRuns(options: LiveRunsOptions): LiveRuns {
  const { log, waits, statuses, report, sleep, stopWithin, onHost } = options
  const liveRuns = new Map<string, { readonly live: LiveRun; readonly released: Promise<void> }>()
  const packing = new Set<Promise<void>>()
  /** The agents of released runs that have not run their `finally` yet. */
  const closingAgents = new Set<Promise<unknown>>()
  let isClosed = false

  function pack(runId: string): void {
    statuses.clear(runId)
    const packed = log
      .pack(runId)
      .catch((error: unknown) => report(error, runId))
      .finally(() => packing.delete(packed))
    packing.add(packed)
  }

  async function hasDurableEnd(owner: Owner): Promise<boolean> {
    const isDurable = await owner.settled().then(
      () => true,
      () => false,
    )
    return isDurable && owner.isEnded()
  }

  /** An ended run is packed; any other waits for its producer. */
  async function release({ owner }: LiveRun): Promise<void> {
    const { id } = owner.run
    let isEnded = await hasDurableEnd(owner)
    if (!isEnded) {
      await log.setState(id, 'waiting').catch((error: unknown) => {
        if (!owner.isEnded()) report(error, id)
      })
      // The owner takes stops until now.
      isEnded = await hasDurableEnd(owner)
    }
    // In one step with what follows: a later stop finds no owner.
    liveRuns.delete(id)
    if (isEnded) pack(id)
    else waits.begin(id)
  }

  function awaitClosed({ closed }: LiveRun): void {
    if (closed === undefined) return
    const closing = closed().finally(() => closingAgents.delete(closing))
    closingAgents.add(closing)
  }

  return {
    get: (runId) => liveRuns.get(runId)?.live,
    async host(live) {
      const { id } = live.owner.run
      const released = Promise.withResolvers<void>()
      liveRuns.set(id, { live, released: released.promise })
      statuses.set(id, { state: 'live' })
      onHost(live)
      // `close` was called before this run arrived.
      if (isClosed) live.leave()
      try {
        await live.feed()
      } finally {
        awaitClosed(live)
        await release(live)
        released.resolve()
      }
    },
    released: (runId) => liveRuns.get(runId)?.released ?? Promise.resolve(),
    pack,
    async close() {
      isClosed = true
      const timeout = new AbortController()
      // Begins now: an agent that does not stop in time has used up the time for its cleanup, too.
      const late = sleep(stopWithin, timeout.signal).catch(() => undefined)
      const all = [...liveRuns.values()]
      for (const { live } of all) live.leave()
      await Promise.all(all.map(({ released }) => released))
      await Promise.all(packing)
      await Promise.race([Promise.allSettled(closingAgents), late])
      timeout.abort()
    },
  }
}
