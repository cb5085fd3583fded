import { present } from '@millrace/core/json'
import { type PaneName, panes, type ViewName } from './panes.ts'

/** A thread, and what of it is shown. */
export interface ThreadRoute {
  readonly name: 'thread'
  readonly threadId: string
  /** The run of `seq` and `at`; absent: the thread's last one. */
  readonly runId?: string
  /** The entry of the selected piece. */
  readonly seq?: number
  /** The entry of that piece that the lens shows. */
  readonly entry?: number
  /** The last entry that is drawn; absent: all are. */
  readonly at?: number
  readonly view?: Exclude<ViewName, 'chat'>
  readonly pane?: PaneName
  readonly file?: string
  /** Words of a search: they are marked in what is shown. */
  readonly find?: string
}

/** What is not valid is left out. */
export function readThread(
  threadId: string | undefined,
  query: URLSearchParams,
  hash: string,
): ThreadRoute | undefined {
  if (threadId === undefined) return undefined
  return present({
    name: 'thread' as const,
    threadId,
    runId: query.get('run') ?? undefined,
    seq: entryIn(/^#seq-(.*)$/.exec(hash)?.[1]),
    entry: entryIn(query.get('entry')),
    at: entryIn(query.get('at')),
    view: query.get('view') === 'timeline' ? ('timeline' as const) : undefined,
    pane: panes.find((name) => name === query.get('pane')),
    file: query.get('file') ?? undefined,
    find: query.get('find') ?? undefined,
  })
}

const entryIn = (text: string | null | undefined) => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined)

/** The fields of the query, in the order of the address. */
export function writeThread({ threadId, runId, seq, entry, at, view, pane, file, find }: ThreadRoute): string {
  const fields = Object.entries({ run: runId, view, pane, file, entry, at, find }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  const query = fields.length === 0 ? '' : `?${fields.join('&')}`
  return `/t/${encodeURIComponent(threadId)}${query}${seq === undefined ? '' : `#seq-${seq}`}`
}
