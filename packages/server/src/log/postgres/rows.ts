import type { Outcome } from '@millrace/core/events'
import type { RunDigest } from '@millrace/core/fold'
import { type JsonObject, present } from '@millrace/core/json'
import type { Head } from '../append-rules.ts'
import type {
  Command,
  CommandResult,
  MessageRow,
  NewRun,
  RunState,
  StoredCommand,
  StoredRun,
  StoredThread,
} from '../log.ts'
import { restored, restoredOr, storable, storableOr } from './text.ts'

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
  readonly thread: string
  readonly idempotency_key: string | null
  readonly request_hash: string | null
  readonly after_run: string | null
  readonly parent_run: string | null
  readonly agent: string | null
  readonly format: string
  readonly parser_version: number
  readonly reader_version: number | null
  readonly attempt: number
  readonly state: RunState
  readonly outcome: Outcome | null
  readonly framing: string | null
  readonly owner: string | null
  readonly epoch: number
  readonly wait_until: number | null
  readonly seq: number
  readonly raw: number
  readonly token: string | null
  readonly created_at: number
  readonly ended_at: number | null
  readonly digest: string | null
}

/** What an append is judged by. */
export interface HeadColumns {
  readonly number: number
  readonly thread: string
  readonly state: RunState
  readonly head_epoch: number
  readonly seq: number
  readonly raw: number
  readonly last_at: number
}

export interface CommandColumns {
  readonly number: number
  readonly key: string
  readonly made_by: string | null
  readonly at: number
  readonly command: string
  readonly result: string | null
}

export interface MessageColumns {
  readonly id: string
  readonly chat: string
  readonly role: 'assistant'
  readonly content: string
  readonly metadata: string
}

export const threadOf = (row: ThreadColumns): StoredThread => ({
  id: restored(row.id),
  title: restored(row.title),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  version: row.version,
})

export function runOf(row: RunColumns): StoredRun {
  return {
    ...present({
      afterRunId: restoredOr(row.after_run),
      parentRunId: restoredOr(row.parent_run),
      agent: restoredOr(row.agent),
      framing: restoredOr(row.framing),
      outcome: row.outcome ?? undefined,
      endedAt: row.ended_at ?? undefined,
      readerVersion: row.reader_version ?? undefined,
      owner: row.owner ?? undefined,
      waitUntil: row.wait_until ?? undefined,
      digest: row.digest === null ? undefined : (JSON.parse(restored(row.digest)) as RunDigest),
    }),
    id: restored(row.id),
    threadId: restored(row.thread),
    format: restored(row.format),
    parserVersion: row.parser_version,
    attempt: row.attempt,
    state: row.state,
    epoch: row.epoch,
    seq: row.seq,
    rawRecords: row.raw,
    createdAt: row.created_at,
  }
}

/** A new run as the JSON that the database reads. */
export const newRunText = (run: NewRun): string =>
  JSON.stringify({
    id: storable(run.id),
    thread: storable(run.threadId),
    key: storableOr(run.idempotencyKey),
    hash: storableOr(run.requestHash),
    afterRun: storableOr(run.afterRunId),
    parentRun: storableOr(run.parentRunId),
    agent: storableOr(run.agent),
    format: storable(run.format),
    parserVersion: run.parserVersion,
    readerVersion: run.readerVersion ?? null,
    attempt: run.attempt,
    owner: storableOr(run.owner),
    isAlone: run.isAlone ?? false,
  })

export const headOf = (row: HeadColumns): Head => ({
  threadId: restored(row.thread),
  epoch: row.head_epoch,
  state: row.state,
  seq: row.seq,
  rawRecords: row.raw,
  lastAt: row.last_at,
})

/** The mark of a command without a key. No JSON begins with it. */
export const KEYLESS = '#'

/** The command as it is stored: the run's end may still give it a result. */
export const commandOf = (row: CommandColumns): StoredCommand => ({
  number: row.number,
  command: JSON.parse(row.command) as Command,
  at: row.at,
  ...(!row.key.startsWith(KEYLESS) && { key: JSON.parse(row.key) as string }),
  ...(row.made_by !== null && { by: JSON.parse(row.made_by) as string }),
  ...(row.result !== null && { result: JSON.parse(row.result) as CommandResult }),
})

export const messageOf = (row: MessageColumns): MessageRow => ({
  id: restored(row.id),
  chatId: restored(row.chat),
  role: row.role,
  content: restored(row.content),
  metadata: JSON.parse(row.metadata) as JsonObject,
})
