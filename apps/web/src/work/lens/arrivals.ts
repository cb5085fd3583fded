import type { RunStoreSnapshot } from '@millrace/core/client'
import { createContext, useContext, useEffect, useState } from 'react'
import type { Arrival } from './hops.ts'

/** When the entries of live runs came to this page. */
export interface Arrivals {
  /** The entries up to this one are in the frame that is drawn next. */
  note(runId: string, seq: number, arrival: Arrival): void
  of(runId: string, seq: number): Arrival | undefined
}

interface Noted extends Arrival {
  readonly runId: string
  readonly seq: number
}

/** The frames of several minutes; earlier arrivals are forgotten. */
const MOST = 10_000

function createArrivals(): Arrivals {
  let noted: Noted[] = []
  return {
    note(runId, seq, arrival) {
      noted.push({ runId, seq, ...arrival })
      if (noted.length > 2 * MOST) noted = noted.slice(MOST)
    },
    of(runId, seq) {
      const ofRun = noted.filter((each) => each.runId === runId)
      // What came before the first frame that is remembered has no time.
      return (ofRun[0]?.seq ?? 0) > seq && noted.length >= MOST ? undefined : ofRun.find((each) => each.seq >= seq)
    },
  }
}

export const ArrivalsContext = createContext<Arrivals>(createArrivals())

/** Notes for each frame what it has drawn of a live run. */
export function useArrivals(newest: RunStoreSnapshot | undefined): Arrivals {
  const [arrivals] = useState(createArrivals)
  const { run, seq, receivedAt } = newest ?? {}
  const runId = run?.runId
  useEffect(() => {
    if (runId === undefined || seq === undefined || receivedAt === undefined) return
    const frame = requestAnimationFrame(() => arrivals.note(runId, seq, { receivedAt, paintedAt: Date.now() }))
    return () => cancelAnimationFrame(frame)
  }, [arrivals, runId, seq, receivedAt])
  return arrivals
}

/** When an entry of a run came to this page; undefined if it was here before, or was read from the log. */
export function useArrivalsOf(runId: string): (seq: number) => Arrival | undefined {
  const arrivals = useContext(ArrivalsContext)
  return (seq) => arrivals.of(runId, seq)
}
