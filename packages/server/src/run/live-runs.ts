import type { Log } from '../log/log.ts'
import type { ApprovalAnswer } from './agent.ts'
import type { Owner } from './owner.ts'
import type { RunStatuses } from './run-statuses.ts'
import type { Waits } from './waits.ts'

/** A run that somebody in this process feeds: an agent of ours, or a producer's body. */
export interface LiveRun {
  readonly owner: Owner
  /** Feeds the run until it has its end, or until it is let go. Throws what a producer has to be told. */
  feed(): Promise<void>
  /** Somebody asked to stop. Resolves when that is logged; the end follows. */
  stop(by: string | undefined): Promise<void>
  /** An approval's answer is durable: whoever waits for it goes on. */
  wake(approvalId: string, answer: ApprovalAnswer): void
  /** The process is going away: what can end in good order does, the rest is left for the next start. */
  leave(): void
  /** Lets go of the run at once, for this reason, without ending it. */
  cut(reason: Error): void
}

/** The runs that are fed in this process. */
export interface LiveRuns {
  get(runId: string): LiveRun | undefined
  /** Feeds a run; settles as it does, once the run is nobody's again. */
  host(live: LiveRun): Promise<void>
  /** Resolves when the run is nobody's in this process. */
  released(runId: string): Promise<void>
  /** Stores an ended run more densely, while nobody waits for it. */
  pack(runId: string): void
  /** Lets every run end or go, and resolves when that is done. */
  close(): Promise<void>
}

export interface LiveRunsOptions {
  readonly log: Log
  readonly waits: Waits
  readonly statuses: RunStatuses
  readonly report: (error: unknown, runId: string) => void
  /** Told of each run that is fed from now on. */
  readonly onHost: (live: LiveRun) => void
}

export function createLiveRuns({ log, waits, statuses, report, onHost }: LiveRunsOptions): LiveRuns {
  const liveRuns = new Map<string, { readonly live: LiveRun; readonly released: Promise<void> }>()
  const packing = new Set<Promise<void>>()
  let isClosed = false

  function pack(runId: string): void {
    statuses.clear(runId)
    const packed = log
      .pack(runId)
      .catch((error: unknown) => report(error, runId))
      .finally(() => packing.delete(packed))
    packing.add(packed)
  }

  /** An ended run is packed; any other waits for whoever can go on with it. */
  async function release({ owner }: LiveRun): Promise<void> {
    const { id } = owner.run
    const isDurable = await owner.settled().then(
      () => true,
      () => false,
    )
    if (isDurable && owner.isEnded()) return pack(id)
    await log.setState(id, 'waiting').catch((error: unknown) => report(error, id))
    waits.begin(id)
  }

  return {
    get: (runId) => liveRuns.get(runId)?.live,
    async host(live) {
      const { id } = live.owner.run
      const released = Promise.withResolvers<void>()
      liveRuns.set(id, { live, released: released.promise })
      statuses.set(id, { state: 'live' })
      onHost(live)
      // It was on its way here when everything was told to go.
      if (isClosed) live.leave()
      try {
        await live.feed()
      } finally {
        await release(live)
        liveRuns.delete(id)
        released.resolve()
      }
    },
    released: (runId) => liveRuns.get(runId)?.released ?? Promise.resolve(),
    pack,
    async close() {
      isClosed = true
      const all = [...liveRuns.values()]
      for (const { live } of all) live.leave()
      await Promise.all(all.map(({ released }) => released))
      await Promise.all(packing)
    },
  }
}
