import type { Outcome, StreamEvent } from '@millrace/core/events'
import { createFeatureCounter, type Loss, type Losses, lossesOf } from '@millrace/core/losses'

/** What was counted while a run was converted. */
export interface Counts {
  readonly events: number
  /** Records that are not JSON, or were too large. */
  readonly unparsable: number
  /** Records that the parser had no mapping for. */
  readonly unmapped: number
  /** Files that are too large for an event, and their bytes. */
  readonly filesLeftOut: number
  readonly bytesLeftOut: number
  readonly outcome: Outcome | undefined
  readonly losses: readonly Loss[]
}

export interface Tally {
  count(event: StreamEvent): void
  /** Counts a file that is left out, of this size in bytes. */
  leaveOut(size: number): void
  counts(): Counts
}

/** Counts events, and how often each of these losses occurs among them. */
export function createTally(losses: Losses): Tally {
  const featureCounter = createFeatureCounter()
  const raw = { unmapped: 0, unparsable: 0 }
  const leftOut = { filesLeftOut: 0, bytesLeftOut: 0 }
  let events = 0
  let outcome: Outcome | undefined
  return {
    count(event) {
      events++
      if (event.type === 'raw') raw[event.reason]++
      else if (event.type === 'run-end') outcome = event.outcome
      featureCounter.note(event)
    },
    leaveOut(size) {
      leftOut.filesLeftOut++
      leftOut.bytesLeftOut += size
    },
    counts: () => ({ events, ...raw, ...leftOut, outcome, losses: lossesOf(losses, featureCounter.counts()) }),
  }
}
