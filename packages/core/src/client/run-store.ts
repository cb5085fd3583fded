import type { ApiError } from '../api/api-error.ts'
import { isSameStatus, type RunStatus } from '../api/run-status.ts'
import type { Entry } from '../entry.ts'
import { createFold } from '../fold/fold.ts'
import type { RunSnapshot } from '../fold/shapes.ts'
import type { Feature } from '../losses.ts'
import { createFeatureCounter } from '../meaning/feature-counter.ts'
import type { Connection, FeedStatus, TakeResult } from './feed.ts'
import { createMessageNotes, type MessageNotes } from './messages.ts'
import { platformOf } from './platform.ts'
import { createPublisher, isSame, type Published } from './publisher.ts'
import { entriesAfter, feedOf, locate, type RunLocation, type RunStoreSettings } from './run-feed.ts'

export interface RunStoreSnapshot {
  /** The same object until an entry arrives. */
  readonly run: RunSnapshot
  readonly connection: Connection
  /** The last entry that `run` shows. */
  readonly seq: number
  /** When the last entries came, by this clock; absent before the first. */
  readonly receivedAt?: number
  /** How often each feature that a wire may be unable to carry has occurred. The same object until an entry arrives. */
  readonly seen: ReadonlyMap<Feature, number>
  /** The messages of persons to the run, if there are any. The same object until one of them changes. */
  readonly messages?: MessageNotes
  /** The status of the run, once the server has sent it; absent when the run has ended. */
  readonly runState?: RunStatus
  /** When a waiting connection tries again. */
  readonly retryAt?: number
  /** Why the connection waits or has failed. */
  readonly error?: ApiError
}

export interface RunStore extends Published<RunStoreSnapshot> {
  /** Connects, and reconnects after every cut until the run has ended. A second call does nothing. */
  start(): void
  /** Closes the connection and keeps the entries received. The run itself continues. */
  stop(): void
  /** Makes the next attempt now, also after a final failure. */
  retryNow(): void
}

export type RunStoreOptions = RunStoreSettings & RunLocation

/** One run, live or stored: connects, resumes, folds. */
export function createRunStore(options: RunStoreOptions): RunStore {
  const platform = platformOf(options)
  const { url, runId } = locate(options)
  const fold = createFold({ runId })
  const featureCounter = createFeatureCounter()
  const messageNotes = createMessageNotes()
  let seq = 0
  let receivedAt: number | undefined
  let hasEnded = false
  let status: FeedStatus = { connection: 'idle' }
  let runState: RunStatus | undefined

  const publisher = createPublisher<RunStoreSnapshot>(viewOf(new Map()), platform.schedule, (before) => {
    const now = viewOf(before.seq === seq ? before.seen : new Map(featureCounter.counts()))
    return isSame(before, now) ? before : now
  })

  function viewOf(seen: RunStoreSnapshot['seen']): RunStoreSnapshot {
    const messages = messageNotes.snapshot()
    const times = receivedAt !== undefined && { receivedAt }
    const folded = { run: fold.snapshot(), seq, seen, ...times, ...(messages.size > 0 && { messages }) }
    if (hasEnded) return { ...folded, connection: 'ended' }
    return { ...folded, ...(runState !== undefined && { runState }), ...status }
  }

  function take(entries: readonly Entry[]): TakeResult {
    const newEntries = entriesAfter(seq, entries)
    fold.push(newEntries)
    for (const { event } of newEntries) {
      featureCounter.note(event)
      messageNotes.note(event)
    }
    seq = newEntries.at(-1)?.seq ?? seq
    hasEnded ||= newEntries.at(-1)?.event.type === 'run-end'
    if (newEntries.length > 0) {
      receivedAt = platform.now()
      publisher.changed()
    }
    if (hasEnded) return 'ended'
    return (entries.at(-1)?.seq ?? 0) > seq ? 'gap' : 'more'
  }

  function noteStatus(next: RunStatus): void {
    if (isSameStatus(runState, next)) return
    runState = next
    publisher.changed()
  }

  function report(next: FeedStatus): void {
    status = next
    publisher.changed()
  }

  const feed = feedOf({ ...options, url, platform }, { seq: () => seq, take, noteStatus }, report)

  return {
    snapshot: publisher.snapshot,
    subscribe: publisher.subscribe,
    start() {
      if (!hasEnded && status.connection !== 'failed') feed.start()
    },
    stop() {
      feed.stop()
      if (!hasEnded && status.connection !== 'failed') report({ connection: 'idle' })
    },
    retryNow() {
      if (hasEnded) return
      if (status.connection === 'failed') feed.start()
      else feed.retryNow()
    },
  }
}
