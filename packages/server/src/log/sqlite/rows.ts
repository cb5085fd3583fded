import type { Outcome } from '@millrace/core/events'
import type { RunDigest } from '@millrace/core/fold'
import { type JsonObject, present } from '@millrace/core/json'
import type { Head } from '../append-rules.ts'
import type {
  Command,
  CommandResult,
  LoggedInput,
  MessageRow,
  RunState,
  StoredCommand,
  StoredRun,
  StoredThread,
} from '../log.ts'
import { inputsIn } from './input-pages.ts'

/** Rows of the tables, and the values that they store. */

export interface ThreadColumns {
  readonly id: string
  readonly title: string
  readonly created_at: number
  readonly updated_at: number
  readonly version: number
}

export interface RunColumns {
  readonly number: number
  readonly id: string
  readonly thread_id: string
  readonly after_run_id: string | null
  readonly parent_run_id: string | null
  readonly agent: string | null
  readonly format: string
  readonly parser_version: number
  readonly attempt: number
  readonly state: RunState
  readonly outcome: Outcome | null
  readonly seq: number
  readonly raw_records: number
  readonly inputs: number
  readonly last_at: number
  readonly created_at: number
  readonly ended_at: number | null
  readonly framing: string | null
  readonly idempotency_key: string | null
  readonly request_hash: string | null
  readonly reader_version: number | null
  readonly owner: string | null
  readonly epoch: number
  readonly wait_until: number | null
  readonly digest: string | null
}

/** All texts are JSON. */
export interface CommandColumns {
  readonly number: number
  readonly key: string | null
  readonly by: string | null
  readonly at: number
  readonly command: string
  readonly result: string | null
}

export interface MessageColumns {
  readonly id: string
  readonly chat_id: string
  readonly role: 'assistant'
  readonly content: string
  readonly message_metadata: string
}

/**
 * A `page` holds several inputs, and its position is that of the last. Rows of earlier releases hold one: `utf-8` and `utf-16`
 * are a producer's record (`utf-16` only if UTF-8 cannot express it), `event` is the server's, `client-event` a client's.
 */
export interface InputColumns {
  readonly kind: 'page' | 'utf-8' | 'utf-16' | 'event' | 'client-event'
  readonly name: string | null
  readonly body: Uint8Array | string
}

export const threadOf = (row: ThreadColumns): StoredThread => ({
  id: row.id,
  title: row.title,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  version: row.version,
})

export function runOf(row: RunColumns): StoredRun {
  return {
    ...present({ afterRunId: row.after_run_id, parentRunId: row.parent_run_id, agent: row.agent }),
    ...present({
      outcome: row.outcome,
      endedAt: row.ended_at,
      framing: row.framing,
      readerVersion: row.reader_version,
      owner: row.owner,
      waitUntil: row.wait_until,
      digest: row.digest === null ? null : (JSON.parse(row.digest) as RunDigest),
    }),
    id: row.id,
    threadId: row.thread_id,
    format: row.format,
    parserVersion: row.parser_version,
    attempt: row.attempt,
    state: row.state,
    epoch: row.epoch,
    seq: row.seq,
    rawRecords: row.raw_records,
    createdAt: row.created_at,
  }
}

/** The columns that an append needs: a few columns are read faster than all. */
export type HeadColumns = Pick<
  RunColumns,
  'number' | 'thread_id' | 'epoch' | 'state' | 'seq' | 'raw_records' | 'inputs' | 'last_at'
>

export const headOf = (row: HeadColumns): Head => ({
  threadId: row.thread_id,
  epoch: row.epoch,
  state: row.state,
  seq: row.seq,
  rawRecords: row.raw_records,
  lastAt: row.last_at,
})

/** The command as it is stored: the run's end may still give it a result. */
export const commandOf = (row: CommandColumns): StoredCommand => ({
  number: row.number,
  command: JSON.parse(row.command) as Command,
  at: row.at,
  ...(row.key !== null && { key: JSON.parse(row.key) as string }),
  ...(row.by !== null && { by: JSON.parse(row.by) as string }),
  ...(row.result !== null && { result: JSON.parse(row.result) as CommandResult }),
})

export const messageOf = (row: MessageColumns): MessageRow => ({
  id: row.id,
  chatId: row.chat_id,
  role: row.role,
  content: row.content,
  metadata: JSON.parse(row.message_metadata) as JsonObject,
})

export const inputsOf = (row: InputColumns): readonly LoggedInput[] =>
  row.kind === 'page' ? inputsIn(row.body as string) : [earlierInputOf(row)]

function earlierInputOf({ kind, name, body }: InputColumns): LoggedInput {
  if (typeof body === 'string') return { by: kind === 'client-event' ? 'client' : 'server', event: JSON.parse(body) }
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(
    kind === 'utf-8' ? 'utf8' : 'utf16le',
  )
  return { by: 'producer', text, name: name === null ? undefined : (JSON.parse(name) as string) }
}
