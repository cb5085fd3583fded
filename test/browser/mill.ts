import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getLog } from '@millrace/server/log/index'
import type { Log, StoredRun } from '@millrace/server/log/log'
import type { Agent } from '@millrace/server/run/agent'
import { createServer, type ServerOptions } from '@millrace/server/server'
import { readingOf } from '@millrace/testkit/repository/reading'
import { until } from './until.ts'

/** A real server on a free port, with a log on disk. */
export interface Mill {
  readonly url: string
  readonly token: string
  /** The address with the token, for a browser. */
  readonly entrance: string
  readonly log: Log
  /** How many live streams it serves now. */
  streams(): number
  /** The thread's newest run, once the log has so many lines of its agent. */
  heard(threadId: string, lines: number): Promise<StoredRun>
  /** The thread's newest run, once it has ended. */
  ended(threadId: string): Promise<StoredRun>
  close(): Promise<void>
}

export async function startMill(
  agents: readonly Agent[],
  appFolder: string,
  options: Pick<ServerOptions, 'basePath' | 'origins'> = {},
): Promise<Mill> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-browser-'))
  const log = await getLog('sqlite').open({ folder: join(dataFolder, 'log') })
  const watched = counting(log)
  const server = await createServer({
    log: watched.log,
    agents,
    dataFolder,
    port: 0,
    appFolder,
    stopWithin: 500,
    ...options,
  })

  async function newest(threadId: string, holds: (run: StoredRun) => boolean): Promise<StoredRun> {
    let found: StoredRun | undefined
    await until(`the newest run of ${threadId} has come so far`, async () => {
      found = (await log.runs(threadId)).at(-1)
      return found !== undefined && holds(found)
    })
    return found as StoredRun
  }

  return {
    url: server.url,
    token: server.token,
    entrance: `${server.url}/?token=${server.token}`,
    log,
    streams: watched.liveReads,
    heard: (threadId, lines) => newest(threadId, ({ rawRecords }) => rawRecords >= lines),
    ended: (threadId) => newest(threadId, ({ state }) => state === 'ended'),
    async close() {
      await server.close()
      await log.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** The same log, and the number of its live readers: each stream to a client is one of them. */
function counting(log: Log): { readonly log: Log; liveReads(): number } {
  let open = 0
  return { log: readingOf(log, { opened: () => open++, closed: () => open-- }), liveReads: () => open }
}
