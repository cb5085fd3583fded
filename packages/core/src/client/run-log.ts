import type { ApiError } from '../api/api-error.ts'
import type { Entry } from '../entry.ts'
import type { Connection, FeedStatus, TakeResult } from './feed.ts'
import { platformOf } from './platform.ts'
import { createPublisher, isSame, type Published } from './publisher.ts'
import { entriesAfter, feedOf, locate, type RunLocation, type RunStoreSettings } from './run-feed.ts'

export interface RunLogSnapshot {
  /** How many entries are here: those with the numbers 1 to `length`. */
  readonly length: number
  /** `ended`: the run has ended, and all of its entries are here. */
  readonly connection: Connection
  readonly error?: ApiError
}

/** The entries of one run, live or stored, for views that need more of it than its newest fold. */
export interface RunLog extends Published<RunLogSnapshot> {
  /** Those that are here. The same array for ever, which grows at its end. */
  entries(): readonly Entry[]
  /** Connects, and reconnects after every cut until the run has ended. */
  start(): void
  /** Closes the connection and keeps the entries. */
  stop(): void
}

export type RunLogOptions = RunStoreSettings & RunLocation

/** Beside the run's store it costs no connection of its own: both share that of the browser's tabs. */
export function createRunLog(options: RunLogOptions): RunLog {
  const platform = platformOf(options)
  const { url } = locate(options)
  const entries: Entry[] = []
  let hasEnded = false
  let status: FeedStatus = { connection: 'idle' }

  const publisher = createPublisher<RunLogSnapshot>(viewNow(), platform.schedule, (before) => {
    const now = viewNow()
    return isSame(before, now) ? before : now
  })

  function viewNow(): RunLogSnapshot {
    if (hasEnded) return { length: entries.length, connection: 'ended' }
    const { connection, error } = status
    return { length: entries.length, connection, ...(error !== undefined && { error }) }
  }

  function take(received: readonly Entry[]): TakeResult {
    for (const entry of entriesAfter(entries.length, received)) entries.push(entry)
    hasEnded ||= entries.at(-1)?.event.type === 'run-end'
    publisher.changed()
    if (hasEnded) return 'ended'
    return (received.at(-1)?.seq ?? 0) > entries.length ? 'gap' : 'more'
  }

  const intake = { seq: () => entries.length, take, noteStatus() {} }
  const feed = feedOf({ ...options, url, platform }, intake, (next) => {
    status = next
    publisher.changed()
  })

  return {
    snapshot: publisher.snapshot,
    subscribe: publisher.subscribe,
    entries: () => entries,
    start() {
      if (!hasEnded) feed.start()
    },
    stop: feed.stop,
  }
}
