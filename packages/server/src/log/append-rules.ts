import { storedFileId } from '@millrace/core/api'
import type { Entry, Outcome, StreamEvent } from '@millrace/core/events'
import type { Stamp } from './entry-lines.ts'
import { LogError } from './errors.ts'
import { checkEpoch } from './lease-rules.ts'
import type { Append, MessageRow, Position, RunState } from './log.ts'

/** The rules of `append`, the same for every member: the rules decide, members only store. */

/** The state of a run that an append is checked against. `lastAt` is the time of its last entry, or of its creation. */
export interface Head {
  readonly threadId: string
  readonly epoch: number
  readonly state: RunState
  readonly seq: number
  readonly rawRecords: number
  readonly lastAt: number
}

/** An append without its content: the fields that the rules use. */
export interface AppendRequest extends Position {
  readonly runId: string
  /** By the clock, unless the append sets it. */
  readonly at: number
  readonly events: number
  readonly rawRecords: number
  readonly end: Outcome | undefined
}

/** Throws if the append is not valid for any run. */
export function appendRequestOf(runId: string, position: Position, append: Append, now: () => number): AppendRequest {
  const { events, inputs } = append
  const end = events.findIndex(({ type }) => type === 'run-end')
  if (end !== -1 && end < events.length - 1) throw new LogError('run-closed', runId)
  const last = events.at(-1)
  return {
    ...position,
    runId,
    at: Math.floor(append.at ?? now()),
    events: events.length,
    rawRecords: inputs.filter(({ by }) => by === 'producer').length,
    end: last?.type === 'run-end' ? last.outcome : undefined,
  }
}

/** Whether the append is to be stored. If not, `checkRepeated` decides between a repetition and an error. */
export function isNext(head: Head, request: AppendRequest): boolean {
  checkEpoch(head, request.epoch)
  const isRawCountCurrent = request.afterRaw === undefined || request.afterRaw === head.rawRecords
  return head.state !== 'ended' && request.afterSeq === head.seq && isRawCountCurrent
}

/** Throws unless the append's events are already stored at its position: then only the response was lost. */
export function checkRepeated(
  head: Head,
  request: AppendRequest,
  stored: readonly Entry[],
  handed: readonly Entry[],
): void {
  const isStored =
    handed.length === 0
      ? request.afterSeq === head.seq &&
        request.afterRaw === head.rawRecords - request.rawRecords &&
        request.rawRecords > 0
      : stored.length === handed.length && stored.every(({ event }, index) => isSame(event, handed[index]?.event))
  if (isStored) return
  if (head.state === 'ended') throw new LogError('run-closed', request.runId)
  const { afterSeq, afterRaw = 'any' } = request
  const storedPosition = `${head.seq} entries and ${head.rawRecords} raw records are stored`
  throw new LogError('wrong-position', `${storedPosition}, not ${afterSeq} and ${afterRaw}`)
}

const isSame = (one: StreamEvent, other: StreamEvent | undefined) => JSON.stringify(one) === JSON.stringify(other)

/** Time never decreases within a run, even if the clock does. */
export const stampOf = ({ lastAt, rawRecords }: Head, { at }: AppendRequest): Stamp => ({
  at: Math.max(lastAt, at),
  rawRecords,
})

/** The stamp that an append gets if its writer knows the run, and the clock has not gone back. */
export const expectedStamp = ({ at, afterRaw = 0 }: AppendRequest): Stamp => ({ at, rawRecords: afterRaw })

/**
 * The value as JSON stores it, so that a live reader gets the same as a later one. Its strings are shared, not copied:
 * one of them may be megabytes long.
 */
export function asStored<Value>(value: Value): Value {
  if (typeof value === 'number') return (Number.isFinite(value) ? value + 0 : null) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : asStored(item))) as Value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, asStored(field)])) as Value
}

/** The stored files that these events name. */
export const filesIn = (events: readonly StreamEvent[]): readonly string[] =>
  events.flatMap((event) => storedFileId(event.type === 'file' ? event.url : undefined) ?? [])

/** Text columns are UTF-8, which has no lone surrogates. */
export const wellFormed = (message: MessageRow): MessageRow => ({ ...message, content: message.content.toWellFormed() })

/** A key that was stored without a hash is not checked. */
export function checkRequest(stored: Keyed, requested: Keyed): void {
  if (requested.key === undefined || requested.key !== stored.key || requested.hash === undefined) return
  if (stored.hash !== undefined && stored.hash !== requested.hash) throw new LogError('other-request', requested.key)
}

interface Keyed {
  readonly key: string | undefined
  readonly hash: string | undefined
}

export function checkMessage(
  head: Pick<Head, 'threadId'>,
  message: Pick<MessageRow, 'id' | 'chatId'> | undefined,
): void {
  if (message !== undefined && message.chatId !== head.threadId) throw new LogError('foreign-message', message.id)
}
