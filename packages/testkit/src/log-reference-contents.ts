import type { Entry } from '@millrace/core/events'
import {
  LogError,
  type LoggedInput,
  type MessageRow,
  type NewRun,
  type StoredCommand,
  type StoredRun,
  type StoredThread,
} from '@millrace/server/log'

/** What the reference log holds. */

export interface ReferenceRun {
  info: StoredRun
  readonly request: Pick<NewRun, 'idempotencyKey' | 'requestHash'>
  lastAt: number
  readonly entries: Entry[]
  readonly inputs: LoggedInput[]
  commands: StoredCommand[]
  followers: string[]
}

export interface Contents {
  threads: StoredThread[]
  runs: ReferenceRun[]
  messages: MessageRow[]
  /** One for each time that a thread names a file. */
  files: { readonly fileId: string; readonly threadId: string }[]
  unused: string[]
  /** The nodes with a lease. */
  nodes: string[]
}

export const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

export function findIn({ runs }: Contents, runId: string): ReferenceRun {
  const run = runs.find(({ info }) => info.id === runId)
  if (run === undefined) throw new LogError('unknown-run', runId)
  return run
}

/** A change that makes the thread the newest of the list. Creates it if there is none. */
export function touch(contents: Contents, threadId: string, at: number, title?: string): void {
  const earlier = contents.threads.find(({ id }) => id === threadId)
  const thread = earlier ?? { id: threadId, title: '', createdAt: at, updatedAt: at, version: 0 }
  const updatedAt = Math.max(thread.updatedAt, at)
  const touched = { ...thread, title: title ?? thread.title, updatedAt, version: thread.version + 1 }
  contents.threads = [...contents.threads.filter(({ id }) => id !== threadId), touched]
}

/** A change that leaves the thread where it is in the list. */
export const note = (contents: Contents, threadId: string): void => touch(contents, threadId, 0)

/** The fields of a run that no node owns. */
export function unowned({ owner: _owner, waitUntil: _waitUntil, ...fields }: StoredRun): StoredRun {
  return fields
}
