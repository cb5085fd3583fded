import { type RunStatus, runStatusOf } from '../api/run-status.ts'
import type { Entry } from '../entry.ts'
import { entryOf } from './entry-of.ts'
import type { Connection } from './feed.ts'

/** The messages of tabs that watch one run. The leading tab sends the first four, the following tabs the others. */
export type TabMessage =
  | { readonly type: 'entries'; readonly entries: readonly Entry[] }
  /** The state of the connection, and a sign of life. `seq` is the last entry that was sent or must be fetched. */
  | { readonly type: 'status'; readonly seq: number; readonly connection: Connection; readonly retryAt?: number }
  /** The requested entries are no longer kept: up to `through` they must be fetched. */
  | { readonly type: 'fetch'; readonly through: number }
  /** The status of the run. */
  | { readonly type: 'run-status'; readonly status: RunStatus }
  | { readonly type: 'ask'; readonly after: number }
  | { readonly type: 'wake' }

const CONNECTIONS: ReadonlySet<unknown> = new Set<Connection>(['connecting', 'live', 'waiting', 'offline'])

type Read = (message: { readonly [field: string]: unknown }) => TabMessage | undefined

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Another tab may run another version, so its messages are checked like any value from outside. */
const readers: { readonly [Type in TabMessage['type']]: Read } = {
  entries: ({ entries }) =>
    Array.isArray(entries) ? { type: 'entries', entries: entries.flatMap((value) => entryOf(value) ?? []) } : undefined,
  status: ({ seq, connection, retryAt }) =>
    isNumber(seq) && CONNECTIONS.has(connection)
      ? { type: 'status', seq, connection: connection as Connection, ...(isNumber(retryAt) && { retryAt }) }
      : undefined,
  fetch: ({ through }) => (isNumber(through) ? { type: 'fetch', through } : undefined),
  'run-status'({ status }) {
    const read = runStatusOf(status)
    return read && { type: 'run-status', status: read }
  },
  ask: ({ after }) => (isNumber(after) ? { type: 'ask', after } : undefined),
  wake: () => ({ type: 'wake' }),
}

const table = new Map(Object.entries(readers))

export function tabMessageOf(data: unknown): TabMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const message = data as { readonly [field: string]: unknown }
  return table.get(String(message.type))?.(message)
}
