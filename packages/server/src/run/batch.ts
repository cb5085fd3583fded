import type { StreamEvent } from '@millrace/core/events'
import type { Append, LoggedInput, Settlement } from '../log/log.ts'
import type { KeptFile } from './large-files.ts'

/** What an owner collects for its next append. */
export interface Batch {
  readonly inputs: LoggedInput[]
  readonly events: StreamEvent[]
  readonly through: number[]
  readonly by: LoggedInput['by'][]
  readonly files: KeptFile[]
  readonly settle: Settlement[]
  followUp: Append['followUp']
  /** Settles when the batch is durable, or the log has refused it. */
  readonly done: PromiseWithResolvers<void>
  records: number
  size: number
}

export function createBatch(): Batch {
  const done = Promise.withResolvers<void>()
  // Most callers do not await it: `onFailure` reports the failure, once.
  done.promise.catch(() => undefined)
  const lists = { inputs: [], events: [], through: [], by: [], files: [], settle: [] }
  return { ...lists, followUp: undefined, done, records: 0, size: 0 }
}

export function isEmpty({ inputs, events, settle }: Batch): boolean {
  return inputs.length === 0 && events.length === 0 && settle.length === 0
}
