import type { RunLog } from '@millrace/core/client'
import { createSpans } from '@millrace/core/spans'
import { createEntryTimes, createReplay, type Mark, type Replay } from '@millrace/core/travel'
import type { Store } from '@millrace/react'

/** How far a run was read. A new object whenever more of it is here. */
export interface TravelView {
  readonly runId: string
  /** How many entries can be shown. */
  readonly length: number
  /** The time of each entry, entry 1 first. */
  readonly times: readonly number[]
  readonly marks: readonly Mark[]
  /** The run has ended, and all of its entries are here. */
  readonly isWhole: boolean
  readonly hasFailed: boolean
}

/** A run that is read in order to show any moment of it. */
export interface TravelRun extends Store<TravelView> {
  readonly replay: Replay
  start(): void
  stop(): void
}

/** Entries that are folded between two looks at the clock, and how long a frame may take for it, in ms. */
const BATCH = 200
const BUDGET = 6
/** While a long run is read, what is drawn of it is renewed this often, in ms. */
const RENEWED = 120

/** Folds what the log has read, a little in each frame, so that a long run does not hold the page. */
export function createTravelRun(runId: string, log: RunLog): TravelRun {
  const replay = createReplay({ runId })
  const times = createEntryTimes()
  const spans = createSpans({ runId })
  const listeners = new Set<() => void>()
  let view: TravelView = { runId, length: 0, times: [], marks: [], isWhole: false, hasFailed: false }
  let frame: number | undefined
  let renewedAt = 0

  function work(): void {
    frame = undefined
    const entries = log.entries()
    const began = performance.now()
    let length = replay.length()
    while (length < entries.length && performance.now() - began < BUDGET) {
      const batch = entries.slice(length, length + BATCH)
      replay.push(batch)
      times.push(batch)
      spans.push(batch)
      length = replay.length()
    }
    const isBehind = length < entries.length
    if (!isBehind || began - renewedAt > RENEWED) renew(began, isBehind)
    if (isBehind) schedule()
  }

  function renew(now: number, isBehind: boolean): void {
    const { connection } = log.snapshot()
    const [isWhole, hasFailed] = [connection === 'ended' && !isBehind, connection === 'failed']
    const length = replay.length()
    if (length === view.length && isWhole === view.isWhole && hasFailed === view.hasFailed) return
    renewedAt = now
    view = { runId, length, times: times.times(), marks: spans.snapshot().marks, isWhole, hasFailed }
    for (const listener of [...listeners]) listener()
  }

  function schedule(): void {
    frame ??= requestAnimationFrame(work)
  }

  let leave = () => {}
  return {
    replay,
    snapshot: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    start() {
      leave()
      leave = log.subscribe(schedule)
      log.start()
      schedule()
    },
    stop() {
      leave()
      log.stop()
      if (frame !== undefined) cancelAnimationFrame(frame)
      frame = undefined
    },
  }
}
