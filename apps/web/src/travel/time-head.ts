import { entryAt, type Silence, silencesIn, type TimeAxis, timeAfter, timeAxisOf } from '@millrace/core/travel'
import type { Store } from '@millrace/react'
import type { PositionStore } from '../position/position-store.ts'
import type { TravelRun } from './travel-run.ts'

export const SPEEDS = [0.5, 1, 2, 5, 10, 50] as const
export type Speed = (typeof SPEEDS)[number]

/** What a person has chosen. It changes seldom: the head itself moves without it. */
export interface HeadView {
  readonly isPlaying: boolean
  readonly speed: Speed
  readonly skipsSilence: boolean
}

/** Where the head stands. */
interface HeadPoint {
  /** On the run's clock. Between two entries while it plays. */
  readonly time: number
  readonly seq: number
  readonly length: number
  readonly isPresent: boolean
}

/** The head of the dock. What it shows is the position's moment; between entries, and while it is dragged, it has a time of its own. */
export interface TimeHead extends Store<HeadView> {
  point(): HeadPoint
  axis(): TimeAxis
  /** Calls the listener whenever the head, or the axis below it, has moved. */
  onMove(listener: () => void): () => void
  /** The hand moves: of a long run what is nearest and already folded is shown. */
  drag(time: number): void
  /** The hand rests: exactly what there was at that time. */
  drop(): void
  /** Shows an entry; behind the last one is the present. */
  go(seq: number): void
  toPresent(): void
  togglePlay(): void
  choose(choice: Partial<Pick<HeadView, 'speed' | 'skipsSilence'>>): void
  start(): () => void
}

/** A run that has more entries than this shows folded snapshots while the hand moves. */
const LONG = 4_096

export function createTimeHead(run: TravelRun, position: PositionStore, chosen: Omit<HeadView, 'isPlaying'>): TimeHead {
  const listeners = new Set<() => void>()
  const moves = new Set<() => void>()
  let view: HeadView = { isPlaying: false, ...chosen }
  let hand: number | undefined
  let frame: number | undefined
  let read: { readonly length: number; readonly silences: readonly Silence[] } = { length: 0, silences: [] }
  let axis = timeAxisOf([])

  const times = () => run.snapshot().times
  const call = (all: ReadonlySet<() => void>) => {
    for (const listener of [...all]) listener()
  }
  const set = (changes: Partial<HeadView>) => {
    view = { ...view, ...changes }
    call(listeners)
  }
  /** The moment of this run; undefined in the present. */
  const seqShown = () => {
    const { at } = position.snapshot()
    return at?.runId === run.snapshot().runId ? at.seq : undefined
  }
  const skipped = () => (view.skipsSilence ? read.silences : [])

  function renewAxis(): void {
    const { length } = run.snapshot()
    read = { length, silences: silencesIn(times()) }
    axis = timeAxisOf(times(), skipped())
  }

  renewAxis()

  function show(seq: number): void {
    const { runId } = run.snapshot()
    position.travel({ runId, seq })
  }

  function point(): HeadPoint {
    const { length } = run.snapshot()
    const seq = seqShown()
    const time = hand ?? times()[(seq ?? length) - 1] ?? axis.from
    return { time, seq: seq ?? length, length, isPresent: seq === undefined }
  }

  function pause(): void {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    hand = undefined
    if (view.isPlaying) set({ isPlaying: false })
  }

  function play(): void {
    const begin = point()
    // What has been played to its end is played again.
    if (begin.isPresent) show(1)
    hand = begin.isPresent ? axis.from : begin.time
    let before = performance.now()
    set({ isPlaying: true })
    const step = (now: number) => {
      hand = timeAfter(hand ?? axis.from, Math.min(250, now - before) * view.speed, skipped())
      before = now
      const { length } = run.snapshot()
      const seq = entryAt(times(), hand)
      if (seq >= length) return toPresent()
      if (seq !== seqShown()) show(Math.max(1, seq))
      else call(moves)
      frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
  }

  function toPresent(): void {
    pause()
    position.travel(undefined)
    call(moves)
  }

  function go(seq: number): void {
    const { length, isWhole } = run.snapshot()
    pause()
    // The last entry of a run that goes on is a moment; that of one that has ended is its present.
    if (seq > length || (seq === length && isWhole)) toPresent()
    else show(Math.max(1, seq))
  }

  return {
    snapshot: () => view,
    subscribe: (listener) => subscribed(listeners, listener),
    onMove: (listener) => subscribed(moves, listener),
    point,
    axis: () => axis,
    drag(time) {
      if (frame !== undefined) pause()
      hand = Math.max(axis.from, Math.min(axis.to, time))
      const seq = Math.max(1, entryAt(times(), hand))
      show(run.snapshot().length > LONG ? Math.max(1, run.replay.near(seq)) : seq)
      call(moves)
    },
    drop() {
      if (hand === undefined || view.isPlaying) return
      const seq = entryAt(times(), hand)
      hand = undefined
      go(seq)
      call(moves)
    },
    go,
    toPresent,
    togglePlay() {
      const { isPresent, length } = point()
      const { isWhole } = run.snapshot()
      if (view.isPlaying) pause()
      // The present of a run that goes on plays by itself: it is held where it is.
      else if (isPresent && !isWhole) show(length)
      else play()
    },
    choose(choice) {
      set(choice)
      axis = timeAxisOf(times(), skipped())
      call(moves)
    },
    start() {
      renewAxis()
      const leaves = [
        run.subscribe(() => {
          renewAxis()
          call(moves)
        }),
        position.subscribe(() => call(moves)),
      ]
      return () => {
        pause()
        for (const leave of leaves) leave()
      }
    },
  }
}

function subscribed(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
