import { present } from '@millrace/core/json'
import type { LoggedInput, NewRun, StoredRun } from '../log.ts'
import { createInbox, type Inbox } from './inbox.ts'

/** A run of the in-memory log. */
export interface HeldRun {
  info: StoredRun
  /** Greater than that of every run before it. */
  readonly number: number
  readonly key: string | undefined
  readonly hash: string | undefined
  lastAt: number
  /** Its entries. */
  readonly lines: string[]
  readonly inputs: LoggedInput[]
  readonly inbox: Inbox
}

export function newHeldRun(newRun: NewRun, number: number, state: 'queued' | 'live', createdAt: number): HeldRun {
  const { idempotencyKey: key, requestHash: hash, isAlone: _isAlone, ...fields } = newRun
  const epoch = fields.owner === undefined ? 0 : 1
  const info: StoredRun = { ...present(fields), state, epoch, seq: 0, rawRecords: 0, createdAt }
  return { info, number, key, hash, lastAt: createdAt, lines: [], inputs: [], inbox: createInbox() }
}

/** The run that already has the id, or the key within the thread. */
export function existingRun(
  runs: ReadonlyMap<string, HeldRun>,
  { id, threadId, idempotencyKey }: NewRun,
): HeldRun | undefined {
  const isSame = ({ info, key }: HeldRun) => key !== undefined && key === idempotencyKey && info.threadId === threadId
  return runs.get(id) ?? [...runs.values()].find(isSame)
}
