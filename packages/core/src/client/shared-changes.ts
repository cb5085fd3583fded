import { ApiError } from '../api/api-error.ts'
import type { Feed, FeedStatus, RecordIntake } from './feed.ts'
import type { Channel, Locks } from './platform.ts'

/** What is passed on of a record. */
type PassedRecord = Parameters<RecordIntake['take']>[0][number]

export interface SharedChangesOptions {
  /** Names the lock and the channel: the same for all tabs that follow the stream. */
  readonly name: string
  readonly locks: Locks
  readonly openChannel: (name: string) => Channel
  /** The event that replaces all before it. Every other one is about the thing with its `id`. */
  readonly whole: string
  readonly connect: (intake: RecordIntake, report: (status: FeedStatus) => void) => Feed
}

/** The messages of tabs that follow one stream. The leading tab sends the first two, the others the last. */
type ChangeMessage =
  | { readonly type: 'records'; readonly records: readonly PassedRecord[]; readonly to?: string }
  | { readonly type: 'status'; readonly status: FeedStatus }
  | { readonly type: 'ask'; readonly from: string }

/**
 * One connection for all visible tabs of a browser that follow a stream of changes. The tab that holds the lock connects
 * and passes records on. The lock goes to the next tab when that tab is closed or hidden, so no tab that the browser has
 * frozen holds it; the next tab begins with everything again.
 */
export function createSharedChanges(
  { name, locks, openChannel, whole, connect }: SharedChangesOptions,
  intake: RecordIntake,
  report: (status: FeedStatus) => void,
): Feed {
  const ownId = `${Math.random()}`
  let channel: Channel | undefined
  /** Present while this tab leads. */
  let feed: Feed | undefined
  /** The newest records, for tabs that come later: the whole, then one for each thing that has changed. */
  let kept = new Map<string, PassedRecord>()
  /** Leaves the queue for the lock, or releases it. */
  let leaveLock = () => {}

  const post = (message: ChangeMessage) => channel?.postMessage(message)

  function keep(record: PassedRecord): void {
    if (record.name === whole) kept = new Map()
    const key = record.name === whole ? '' : String((record.value as { readonly id?: unknown } | null)?.id)
    kept.delete(key)
    kept.set(key, record)
  }

  const passingIntake: RecordIntake = {
    ...intake,
    take(records) {
      for (const record of records) keep(record)
      if (records.length > 0) post({ type: 'records', records })
      return intake.take(records)
    },
  }

  function reportLeading(status: FeedStatus): void {
    report(status)
    // The next tab finds out for itself.
    if (status.connection === 'ended' || status.connection === 'failed') stop()
    else post({ type: 'status', status: plainStatus(status) })
  }

  function queue(): void {
    const ownChannel = channel
    const waiting = new AbortController()
    const lead = () =>
      new Promise<void>((release) => {
        if (channel !== ownChannel || channel === undefined) return release()
        leaveLock = release
        kept = new Map()
        feed = connect(passingIntake, reportLeading)
        feed.start()
      })
    leaveLock = () => waiting.abort()
    locks.request(name, { signal: waiting.signal }, lead).catch(() => {
      // If the browser refuses locks altogether, the tab uses a connection of its own.
      if (!waiting.signal.aborted) void lead()
    })
  }

  function receive(message: ChangeMessage | undefined): void {
    if (message === undefined) return
    if (feed !== undefined) {
      if (message.type === 'ask') post({ type: 'records', records: [...kept.values()], to: message.from })
    } else if (message.type === 'status') report(withError(message.status))
    else if (message.type === 'records' && (message.to ?? ownId) === ownId) {
      if (intake.take(message.records) === 'ended') stop()
    }
  }

  function stop(): void {
    feed?.stop()
    feed = undefined
    channel?.close()
    channel = undefined
    leaveLock()
    leaveLock = () => {}
  }

  return {
    start() {
      if (channel !== undefined) return
      channel = openChannel(name)
      channel.onmessage = ({ data }) => receive(messageOf(data))
      queue()
      post({ type: 'ask', from: ownId })
    },
    stop,
    retryNow: () => feed?.retryNow(),
  }
}

/** Another tab may run another version. */
function messageOf(data: unknown): ChangeMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { type, records, status, from } = data as { readonly [field: string]: unknown }
  const isWhole = { records: Array.isArray(records), status: typeof status === 'object', ask: typeof from === 'string' }
  return isWhole[type as keyof typeof isWhole] === true ? (data as ChangeMessage) : undefined
}

/** An error loses its fields on the way to another tab. */
function plainStatus({ error, ...status }: FeedStatus): FeedStatus {
  if (error === undefined) return status
  const { status: code, code: name, message } = error
  return { ...status, error: { status: code, code: name, message } as ApiError }
}

function withError({ error, ...status }: FeedStatus): FeedStatus {
  return error === undefined ? status : { ...status, error: new ApiError(error.status, error.code, error.message) }
}
