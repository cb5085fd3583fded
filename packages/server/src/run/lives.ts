import type { Log } from '../log/log.ts'
import type { LiveRun } from './live-run.ts'
import type { RunStates } from './run-states.ts'
import type { Waits } from './waits.ts'

/** The runs that are fed in this process. */
export interface Lives {
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

export interface LivesOptions {
  readonly log: Log
  readonly waits: Waits
  readonly states: RunStates
  readonly report: (error: unknown, runId: string) => void
  /** Told of each run that is fed from now on. */
  readonly onHost: (live: LiveRun) => void
}

export function createLives({ log, waits, states, report, onHost }: LivesOptions): Lives {
  const lives = new Map<string, { readonly live: LiveRun; readonly released: Promise<void> }>()
  const packing = new Set<Promise<void>>()
  let isClosed = false

  function pack(runId: string): void {
    states.clear(runId)
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
    get: (runId) => lives.get(runId)?.live,
    async host(live) {
      const { id } = live.owner.run
      const released = Promise.withResolvers<void>()
      lives.set(id, { live, released: released.promise })
      states.set(id, { state: 'live' })
      onHost(live)
      // It was on its way here when everything was told to go.
      if (isClosed) live.leave()
      try {
        await live.feed()
      } finally {
        await release(live)
        lives.delete(id)
        released.resolve()
      }
    },
    released: (runId) => lives.get(runId)?.released ?? Promise.resolve(),
    pack,
    async close() {
      isClosed = true
      const all = [...lives.values()]
      for (const { live } of all) live.leave()
      await Promise.all(all.map(({ released }) => released))
      await Promise.all(packing)
    },
  }
}
