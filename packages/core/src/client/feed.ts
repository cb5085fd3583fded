import type { ApiError } from '../api/api-error.ts'
import type { RunStatus } from '../api/run-status.ts'
import type { Entry } from '../entry.ts'

/**
 * `idle`: not started, or stopped. `waiting`: cut, and it will try again at `retryAt`. `offline`: the same, and the
 * machine says that it has no network. `ended`: the run is over and all of it is here. `failed`: trying again is no use.
 */
export type Connection = 'idle' | 'connecting' | 'live' | 'waiting' | 'ended' | 'offline' | 'failed'

export interface FeedStatus {
  readonly connection: Connection
  /** Milliseconds, by the platform's clock. */
  readonly retryAt?: number
  readonly error?: ApiError
}

/** What became of entries: `gap` means that some before them are missing, `enough` that no more are wanted. */
export type Verdict = 'more' | 'enough' | 'gap' | 'ended'

/** Where entries go. */
export interface Intake {
  /** The last entry that was applied. */
  seq(): number
  /** Applies what follows the last entry, in order; what was applied before is ignored, what stands behind a gap too. */
  take(entries: readonly Entry[]): Verdict
  /** Notes how the run itself stands, as the server tells beside the entries. */
  noteStatus(status: RunStatus): void
}

/** Where entries come from. Keeps coming back until the run has ended, the server refuses, or it is stopped. */
export interface Feed {
  start(): void
  stop(): void
  /** Does now what it waits to do. */
  retryNow(): void
}
