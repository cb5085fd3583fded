import type { ApiError } from '../api/api-error.ts'
import type { RunStatus } from '../api/run-status.ts'
import type { Entry } from '../entry.ts'
import type { RawRecord } from '../source/source.ts'

/**
 * `idle`: not started, or stopped. `waiting`: cut, with the next attempt at `retryAt`. `offline`: the same, and the
 * machine reports no network. `ended`: the run has ended and all entries are here. `failed`: a retry cannot succeed.
 */
export type Connection = 'idle' | 'connecting' | 'live' | 'waiting' | 'ended' | 'offline' | 'failed'

export interface FeedStatus {
  readonly connection: Connection
  /** Milliseconds on the platform's clock. */
  readonly retryAt?: number
  readonly error?: ApiError
}

/** The result of taking entries. `gap`: earlier entries are missing. `enough`: no more entries are wanted. */
export type TakeResult = 'more' | 'enough' | 'gap' | 'ended'

/** The receiver of entries. */
export interface Intake {
  /** The last entry that was applied. */
  seq(): number
  /** Applies the entries that follow the last one, in order. Repeated entries and entries after a gap are ignored. */
  take(entries: readonly Entry[]): TakeResult
  /** Notes the status of the run, which the server sends besides the entries. */
  noteStatus(status: RunStatus): void
}

/** The receiver of the records of a stream. */
export interface RecordIntake {
  /** Added to the address of each request; empty for none. */
  query(): string
  /** Increases with what need not be sent again. A connection without such news that does not last counts as failed. */
  position(): number
  take(records: readonly RawRecord[]): TakeResult
}

/** Follows a stream. It reconnects until the stream has ended, the server refuses, or it is stopped. */
export interface Feed {
  start(): void
  stop(): void
  /** Makes the next attempt now. */
  retryNow(): void
}
