import type { Outcome } from '@millrace/core/event-fields'
import type { StreamEvent } from '@millrace/core/events'
import { type Feature, features, type Losses } from '@millrace/core/losses'

/** One thing that the run has and the target cannot carry. */
export interface Loss {
  readonly feature: Feature
  readonly count: number
  readonly reason: string
}

/** What was counted while a run was converted. */
export interface Counts {
  readonly events: number
  /** Records that are not JSON, or were too large. */
  readonly unparsable: number
  /** Records that the parser had no mapping for. */
  readonly unmapped: number
  readonly outcome: Outcome | undefined
  readonly losses: readonly Loss[]
}

export interface Tally {
  count(event: StreamEvent): void
  counts(): Counts
}

/** Counts events, and how often each of these losses occurs among them. */
export function createTally(losses: Losses): Tally {
  const watched = (Object.entries(losses) as [Feature, string][]).map(([feature, reason]) => ({
    feature,
    reason,
    occursIn: features[feature] as (event: StreamEvent) => boolean,
    count: 0,
  }))
  const raw = { unmapped: 0, unparsable: 0 }
  let events = 0
  let outcome: Outcome | undefined
  return {
    count(event) {
      events++
      if (event.type === 'raw') raw[event.reason]++
      else if (event.type === 'run-end') outcome = event.outcome
      for (const loss of watched) if (loss.occursIn(event)) loss.count++
    },
    counts: () => ({
      events,
      ...raw,
      outcome,
      losses: watched
        .filter(({ count }) => count > 0)
        .map(({ feature, count, reason }) => ({ feature, count, reason })),
    }),
  }
}
