import type { Entry } from '../entry.ts'
import { createConnection, HEARTBEAT } from './connection.ts'
import type { Feed, FeedStatus, Intake } from './feed.ts'
import type { Credentials, Platform, PlatformOptions } from './platform.ts'
import { createSharedFeed } from './shared-feed.ts'
import { entryRecords, openStream } from './stream.ts'

/** The address of a run: the URL of its stream, or the server's URL and the run's id. */
export type RunLocation =
  | { readonly url: string; readonly runId?: string }
  | { readonly baseUrl: string; readonly runId: string; readonly url?: undefined }

export interface RunStoreSettings extends PlatformOptions, Credentials {
  /** The interval of the server's heartbeats, in ms; default 15,000. */
  readonly heartbeat?: number
  /** One connection for all tabs that watch the run. Default: true, if the platform has locks. */
  readonly shareAcrossTabs?: boolean
}

/** The address of a run's stream, and the run's id. */
export function locate(location: RunLocation): { readonly url: string; readonly runId: string } {
  if (location.url === undefined) {
    const { baseUrl, runId } = location
    return { url: `${baseUrl.replace(/\/$/, '')}/api/runs/${encodeURIComponent(runId)}/stream`, runId }
  }
  const { url, runId = decodeURIComponent(/\/runs\/([^/?]+)/.exec(url)?.[1] ?? 'run') } = location
  return { url, runId }
}

type FeedOptions = RunStoreSettings & { readonly url: string; readonly platform: Platform }

/** A connection of its own, or a share of the one connection of the browser's tabs. */
export function feedOf(options: FeedOptions, intake: Intake, report: (status: FeedStatus) => void): Feed {
  const { url, platform, heartbeat = HEARTBEAT, shareAcrossTabs = true, token } = options
  const credentials = token === undefined ? {} : { token }
  const connection = { url, platform, heartbeat, ...credentials }
  const { locks, openChannel, fetch } = platform
  if (!shareAcrossTabs || locks === undefined || openChannel === undefined) {
    return createConnection(connection, entryRecords(intake), report)
  }
  return createSharedFeed(
    {
      name: `millrace:${url}`,
      platform,
      locks,
      openChannel,
      heartbeat,
      connect: (into, ...parts) => createConnection(connection, entryRecords(into), ...parts),
      async fetchThrough(into, through, signal) {
        const limitedIntake: Intake = {
          seq: into.seq,
          take(entries) {
            const result = into.take(entries)
            return result === 'more' && into.seq() >= through ? 'enough' : result
          },
          noteStatus: into.noteStatus,
        }
        await openStream({ url, fetch, intake: entryRecords(limitedIntake), signal, ...credentials })
      },
    },
    intake,
    report,
  )
}

/** The entries that follow `seq` without a gap. */
export function entriesAfter(seq: number, entries: readonly Entry[]): readonly Entry[] {
  const following: Entry[] = []
  let last = seq
  for (const entry of entries) {
    if (entry.seq === last + 1) following.push(entry)
    else if (entry.seq > last) break
    last = Math.max(last, entry.seq)
  }
  return following
}
