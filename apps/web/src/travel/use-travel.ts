import { createRunLog, type RunInfo, type ThreadStore } from '@millrace/core/client'
import { type ChatEvent, totalsOf } from '@millrace/core/fold'
import { useStore } from '@millrace/react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useApp } from '../app-context.ts'
import type { PositionStore } from '../position/position-store.ts'
import { useDrawnMoment } from './drawn-moment.ts'
import { createMomentClock, type MomentClock } from './moment-clock.ts'
import { createTravelRun, type TravelRun, type TravelView } from './travel-run.ts'

/** A moment in the past, as it is drawn. */
export interface Past {
  readonly runId: string
  readonly seq: number
  /** On the run's clock. */
  readonly time: number
  /** The chat as it was. */
  readonly chatEvents: readonly ChatEvent[]
  /** The runs that there were, the last of them as it was. */
  readonly runs: readonly RunInfo[]
  /** The entries up to the moment are still being read: nothing can be drawn. */
  readonly isReading: boolean
}

export interface Travel {
  /** The run that is, or would be, travelled: that of the moment, else the last one. */
  readonly run: RunInfo | undefined
  /** Absent while nothing was asked of the past. */
  readonly travelRun: TravelRun | undefined
  /** Absent in the present. */
  readonly past: Past | undefined
  /** The runs of the thread that are shown, oldest first. */
  readonly path: readonly RunInfo[]
  readonly clock: MomentClock
}

/** Reads a run as soon as its past is wanted, and folds the moment that the position names. */
export function useTravel(
  store: ThreadStore,
  position: PositionStore,
  path: readonly RunInfo[],
  isDockOpen: boolean,
): Travel {
  const drawn = useDrawnMoment(position)
  const [clock] = useState(createMomentClock)
  const run = path.find(({ id }) => id === drawn?.runId) ?? path.at(-1)
  const travelRun = useTravelRun(drawn !== undefined || isDockOpen ? run?.id : undefined)
  const view = useView(travelRun)
  // Only what can change what is drawn: a live run grows behind the moment.
  const isReached = drawn !== undefined && view !== undefined && view.length >= Math.min(drawn.seq, run?.seq ?? 0)
  const past = useMemo(() => {
    if (drawn === undefined || run === undefined) return undefined
    return pastOf(store, path, run, drawn.seq, isReached ? travelRun : undefined)
  }, [store, drawn, run?.id, travelRun, isReached])
  useEffect(() => clock.set(past?.time), [clock, past?.time])
  return { run, travelRun, past, path, clock }
}

function pastOf(
  store: ThreadStore,
  path: readonly RunInfo[],
  run: RunInfo,
  seq: number,
  travelRun: TravelRun | undefined,
): Past {
  const { id } = run
  const before = path.slice(
    0,
    path.findIndex((each) => each.id === id),
  )
  if (travelRun === undefined) return { runId: id, seq, time: 0, chatEvents: [], runs: before, isReading: true }
  const { times } = travelRun.snapshot()
  const snapshot = travelRun.replay.at(seq)
  const time = times[Math.min(seq, times.length) - 1] ?? times[0] ?? 0
  const { usage: _usage, raw: _raw, outcome: _outcome, waitUntil: _wait, ...rest } = run
  const then: RunInfo = {
    ...rest,
    ...totalsOf(snapshot),
    seq,
    state: snapshot.outcome === undefined ? 'live' : 'ended',
    // The meter counts up to the moment.
    endedAt: time,
    ...(snapshot.outcome !== undefined && { outcome: snapshot.outcome }),
  }
  return { runId: id, seq, time, chatEvents: store.chatEventsAt(snapshot), runs: [...before, then], isReading: false }
}

function useTravelRun(runId: string | undefined): TravelRun | undefined {
  const { basePath } = useApp()
  const [runs] = useState(() => new Map<string, TravelRun>())
  const travelRun = useMemo(() => {
    if (runId === undefined) return undefined
    const opened = runs.get(runId) ?? createTravelRun(runId, createRunLog({ baseUrl: basePath, runId }))
    runs.set(runId, opened)
    return opened
  }, [runs, runId, basePath])
  useEffect(() => {
    travelRun?.start()
    return () => travelRun?.stop()
  }, [travelRun])
  return travelRun
}

const silent = { subscribe: () => () => {}, snapshot: () => undefined }

function useView(travelRun: TravelRun | undefined): TravelView | undefined {
  return useStore<TravelView | undefined>(travelRun ?? silent)
}

const OPEN = 'millrace.time-dock'

/** Whether the dock is open: kept in this browser. A moment in the address opens it. */
export function useDockOpen(position: PositionStore): readonly [isOpen: boolean, toggle: () => void] {
  const [isOpen, setIsOpen] = useState(wasOpen)
  const isPast = useSyncExternalStore(position.subscribe, () => position.snapshot().at !== undefined)
  const toggle = () => {
    const next = !(isOpen || isPast)
    keepOpen(next)
    setIsOpen(next)
    // A moment that nothing shows would be a trap: without the dock the page is in the present.
    if (!next) position.travel(undefined)
  }
  return [isOpen || isPast, toggle]
}

function wasOpen(): boolean {
  try {
    return localStorage.getItem(OPEN) === 'open'
  } catch {
    return false
  }
}

function keepOpen(isOpen: boolean): void {
  try {
    localStorage.setItem(OPEN, isOpen ? 'open' : 'closed')
  } catch {
    // A browser that stores nothing begins without the dock.
  }
}
