import type { ThreadListStreamEvents, ThreadStreamEvents } from '../api/api-types.ts'
import { createConnection, HEARTBEAT } from './connection.ts'
import type { Feed, FeedStatus, RecordIntake, TakeResult } from './feed.ts'
import { type Credentials, type Platform, type PlatformOptions, platformOf } from './platform.ts'
import { createSharedChanges } from './shared-changes.ts'

/*
 * Browsers allow six connections per host on HTTP/1.1. A page uses three at most: one for the list, one for the open
 * thread, one for the thread's live run. Tabs share each of them, and a hidden page gives up the first two, so n visible
 * tabs with different live threads use 2n + 1.
 */

export interface ChangeFeedOptions extends PlatformOptions, Credentials {
  /** The server's address; empty for the server of the page. */
  readonly baseUrl: string
  /** The interval of the server's heartbeats, in ms; default 15,000. */
  readonly heartbeat?: number
  /** One connection for all visible tabs that follow the same. Default: true, if the platform has locks. */
  readonly shareAcrossTabs?: boolean
}

/** Called with the data of each event, by its name. `ended`: nothing follows. */
type Handlers<Events> = { readonly [Name in keyof Events]: (data: Events[Name]) => TakeResult }

/** The events of the list's stream. */
export type ListHandlers = Handlers<ThreadListStreamEvents>

/** Follows a thread: first the thread with its runs, then what changes. Begins again after every cut. */
export function createThreadFeed(
  { threadId, ...options }: ChangeFeedOptions & { readonly threadId: string },
  handlers: Handlers<ThreadStreamEvents>,
  report: (status: FeedStatus) => void,
): Feed {
  const path = `/api/threads/${encodeURIComponent(threadId)}/stream`
  return createChangeFeed(options, path, 'thread', handlers, report)
}

/** Follows the list of threads: first its first page, then what changes. Begins again after every cut. */
export function createThreadListFeed(
  { limit, ...options }: ChangeFeedOptions & { readonly limit: number },
  handlers: ListHandlers,
  report: (status: FeedStatus) => void,
): Feed {
  return createChangeFeed(options, `/api/threads?limit=${limit}`, 'threads', handlers, report)
}

function createChangeFeed<Events>(
  options: ChangeFeedOptions,
  path: string,
  whole: keyof Events & string,
  handlers: Handlers<Events>,
  report: (status: FeedStatus) => void,
): Feed {
  const { baseUrl, heartbeat = HEARTBEAT, shareAcrossTabs = true, token } = options
  const platform = platformOf(options)
  const { locks, openChannel } = platform
  const url = baseUrl.replace(/\/$/, '') + path
  const connection = { url, platform, heartbeat, ...(token !== undefined && { token }) }
  const connect = (...parts: [RecordIntake, (status: FeedStatus) => void]) => createConnection(connection, ...parts)
  const records = changeRecords(handlers)
  if (!shareAcrossTabs || locks === undefined || openChannel === undefined) {
    return whileVisible(platform, connect(records, report))
  }
  const name = `millrace:changes:${url}`
  return whileVisible(platform, createSharedChanges({ name, locks, openChannel, whole, connect }, records, report))
}

/** The first record replaces everything, so no position is kept, and records of unknown names are skipped. */
function changeRecords<Events>(handlers: Handlers<Events>): RecordIntake {
  return {
    query: () => '',
    position: () => 0,
    take(records) {
      for (const { name, value, problem } of records) {
        if (name === undefined || problem !== undefined || !Object.hasOwn(handlers, name)) continue
        if (handlers[name as keyof Events](value as Events[keyof Events]) === 'ended') return 'ended'
      }
      return 'more'
    },
  }
}

/** A hidden page gives its connection up. When it comes back it connects, also after a final failure. */
function whileVisible({ isHidden, onHide, onWake }: Platform, feed: Feed): Feed {
  let isStarted = false
  let stopListening = () => {}
  return {
    start() {
      if (isStarted) return
      isStarted = true
      const stops = [onHide(feed.stop), onWake(feed.start)]
      stopListening = () => {
        for (const stop of stops) stop()
      }
      if (!isHidden()) feed.start()
    },
    stop() {
      isStarted = false
      stopListening()
      feed.stop()
    },
    retryNow: feed.retryNow,
  }
}
