import type { Entry } from '../../entry.ts'
import { createFold, type Fold } from '../fold.ts'
import type { RunSnapshot } from '../shapes.ts'
import { createSpaced } from './spaced.ts'

/** A run that can be folded to any of its entries. */
export interface Replay {
  /** Applies the entries that follow, in order. An entry that was already applied is ignored. */
  push(entries: readonly Entry[]): void
  /** How many entries it has. */
  length(): number
  /** The run as it was when it had this many entries: equal to the fold of just these. */
  at(seq: number): RunSnapshot
  /** The last number at or before `seq` whose snapshot is here: showing it costs nothing. */
  near(seq: number): number
}

/** Of a long run about every 256th of 100,000: as many as a screen has columns. They share what did not change. */
const SNAPSHOTS = { every: 32, most: 512 }

/** A fold that can go on costs a copy of its drafts: there are fewer. */
const FOLDS = { every: 1024, most: 16 }

/** How many snapshots before the one that was asked for are taken with it: the next is likely to be one of them. */
const BEFORE = 48

export function createReplay({ runId = 'run' }: { readonly runId?: string } = {}): Replay {
  const entries: Entry[] = []
  const newest = createFold({ runId })
  const snapshots = createSpaced<RunSnapshot>(SNAPSHOTS)
  const folds = createSpaced<Fold>(FOLDS)
  /** The snapshots just before the one that was asked for last. */
  let recent = new Map<number, RunSnapshot>()
  let cursor = { seq: 0, fold: createFold({ runId }) }
  const empty = cursor.fold.snapshot()
  const start = cursor.fold.fork()

  /** A fold that has `seq` entries or fewer, and goes on. */
  function foldBefore(seq: number): typeof cursor {
    const base = folds.atOrBefore(seq) ?? { seq: 0, value: start }
    if (cursor.seq <= seq && cursor.seq >= base.seq) return cursor
    return { seq: base.seq, fold: base.value.fork() }
  }

  function advance(to: number): void {
    if (to <= cursor.seq) return
    cursor.fold.push(entries.slice(cursor.seq, to))
    cursor.seq = to
  }

  function folded(seq: number): RunSnapshot {
    const isBack = seq < cursor.seq
    cursor = foldBefore(seq)
    if (isBack) {
      recent = new Map()
      for (let before = Math.max(cursor.seq, seq - BEFORE, 1); before < seq; before++) {
        advance(before)
        recent.set(before, cursor.fold.snapshot())
      }
    }
    advance(seq)
    const snapshot = cursor.fold.snapshot()
    recent.set(seq, snapshot)
    if (recent.size > 2 * BEFORE) recent = new Map([[seq, snapshot]])
    return snapshot
  }

  return {
    push(added) {
      for (const entry of added) {
        if (entry.seq !== entries.length + 1) continue
        entries.push(entry)
        newest.push([entry])
        snapshots.offer(entry.seq, newest.snapshot)
        folds.offer(entry.seq, newest.fork)
      }
    },
    length: () => entries.length,
    at(seq) {
      const wanted = Math.max(0, Math.min(seq, entries.length))
      if (wanted === 0) return empty
      if (wanted === entries.length) return newest.snapshot()
      return snapshots.exactly(wanted) ?? recent.get(wanted) ?? folded(wanted)
    },
    near(seq) {
      if (seq >= entries.length) return entries.length
      return snapshots.atOrBefore(seq)?.seq ?? 0
    },
  }
}
