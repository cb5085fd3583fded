import { runDurationOf } from '../fold/run-duration.ts'
import type { LastRun, ListedThread } from './api-types.ts'

/** How a thread stands, as lists of runs are filtered by it. */
export const RUN_STATES = ['needs-you', 'live', 'done', 'failed', 'interrupted', 'stopped', 'handed-over'] as const

export type ListedState = (typeof RUN_STATES)[number]

/** What a list of runs is filtered by: a thread has to satisfy all of it. */
export interface RunFilter {
  readonly state?: ListedState
  /** The agent's name, or the format of a stream that no agent of the server made. */
  readonly agent?: string
  /** In US dollars, at least. */
  readonly minCost?: number
  /** At least. */
  readonly minSeconds?: number
  /** At least. */
  readonly minErrors?: number
  /** Changed at this time or later, in ms since the epoch. */
  readonly since?: number
}

const stateByOutcome: { readonly [Outcome in NonNullable<LastRun['outcome']>]: ListedState } = {
  success: 'done',
  error: 'failed',
  interrupted: 'interrupted',
  cancelled: 'stopped',
  'awaiting-input': 'handed-over',
}

export function listedStateOf({ state, outcome, asks }: LastRun): ListedState {
  if (state === 'ended') return outcome === undefined ? 'done' : stateByOutcome[outcome]
  return asks ? 'needs-you' : 'live'
}

/** By the run's own clock or its report, or else by the server's clock if its own agent ran. */
export function listedDurationOf({ agent, createdAt, endedAt, digest }: LastRun): number | undefined {
  const own =
    agent === undefined ? undefined : runDurationOf({ startedAt: createdAt, ...(endedAt !== undefined && { endedAt }) })
  return (digest === undefined ? undefined : runDurationOf(digest)) ?? own
}

const tests: {
  readonly [Field in keyof RunFilter]-?: (
    wanted: NonNullable<RunFilter[Field]>,
    run: LastRun,
    updatedAt: number,
  ) => boolean
} = {
  state: (state, run) => listedStateOf(run) === state,
  agent: (agent, run) => (run.agent ?? run.format) === agent,
  minCost: (cost, { digest }) => (digest?.usage?.costUsd ?? 0) >= cost,
  minSeconds: (seconds, run) => (listedDurationOf(run) ?? 0) >= seconds * 1_000,
  minErrors: (errors, { digest }) => (digest?.errors ?? 0) >= errors,
  since: (since, _run, updatedAt) => updatedAt >= since,
}

/** Whether a list with this filter shows the thread. One without a run is in the list without a filter only. */
export function isListed({ lastRun, updatedAt = 0 }: ListedThread, filter: RunFilter): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    if (wanted === undefined) return true
    return lastRun !== undefined && tests[field as keyof RunFilter](wanted as never, lastRun, updatedAt)
  })
}

/** What has happened since a time, over all threads. */
export interface Overview {
  readonly live: number
  readonly needsYou: number
  /** Begun since then; `earlier`: between `before` and then. */
  readonly runs: number
  readonly earlier: number
  readonly failed: number
  readonly costUsd: number
  readonly tokens: number
  readonly cachedTokens: number
  /** There were more runs than are counted. */
  readonly isPartial: boolean
}
