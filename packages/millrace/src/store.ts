import { join } from 'node:path'
import type { Files } from '@millrace/server/files'
import type { Log } from '@millrace/server/log'
import { usageError } from './exit.ts'
import type { Settings } from './settings.ts'

/** Where a server keeps what it must not lose. */
export interface Store {
  readonly log: Log
  /** Absent: in the data folder. */
  readonly files?: Files
  close(): Promise<void>
}

type StoreSettings = Pick<Settings, 'data' | 'databaseUrl' | 'redisUrl'>

/** A file in the data folder, or a database that other servers use too. */
export async function openStore(settings: StoreSettings, report: (error: Error) => void): Promise<Store> {
  const { data, databaseUrl, redisUrl } = settings
  if (databaseUrl !== undefined) return openShared({ ...settings, databaseUrl }, report)
  if (redisUrl !== undefined) {
    throw usageError('A Redis wakes the servers of a shared database: without a database there is nothing to share.')
  }
  const { getLog } = await import('@millrace/server/log')
  const log = await getLog('sqlite').open({ folder: join(data, 'log') })
  return { log, close: () => log.close() }
}

async function openShared(
  { data, databaseUrl: url, redisUrl }: StoreSettings & { readonly databaseUrl: string },
  report: (error: Error) => void,
): Promise<Store> {
  const [{ getLog }, { openDatabaseFiles }, { getBus }] = await Promise.all([
    import('@millrace/server/log'),
    import('@millrace/server/files'),
    import('@millrace/server/bus'),
  ])
  const bus = redisUrl === undefined ? {} : { bus: { member: getBus('redis'), url: redisUrl } }
  const log = await getLog('postgres').open({ folder: join(data, 'log'), url, report, ...bus, ...leaseTtl() })
  const files = await openDatabaseFiles(url)
  return { log, files, close: () => log.close().finally(files.close) }
}

/** Only for tests: a lease that ends sooner makes them shorter. */
function leaseTtl(): { readonly leaseTtl?: number } {
  const ttl = Number(process.env.MILLRACE_LEASE_TTL)
  return ttl >= 300 ? { leaseTtl: ttl } : {}
}
