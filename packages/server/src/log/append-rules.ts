import type { Entry, EntryMaker } from '@millrace/core/entry'
import type { Outcome } from '@millrace/core/event-fields'
import type { StreamEvent } from '@millrace/core/events'
import { LogError } from './errors.ts'
import type { Append, MessageRow, Position, RunState } from './log.ts'

/** The rules of `append`, the same for every member: they say what happens, members only store it. */

/** What must be known of a run to add to it. `lastAt` is its last entry's time, or its creation. */
export interface Head {
  readonly threadId: string
  readonly attempt: number
  readonly state: RunState
  readonly seq: number
  readonly rawRecords: number
  readonly lastAt: number
}

/** An append without its bulk: as much as the rules look at. */
export interface AppendRequest extends Position {
  readonly runId: string
  /** By the clock, or as the writer says. */
  readonly at: number
  readonly events: number
  readonly rawRecords: number
  readonly end: Outcome | undefined
}

/** Throws where the append is wrong by itself, whatever the run. */
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

/** Whether it is to be stored. Otherwise it is there already, or wrong: `checkRepeated` tells. */
export function isNext(head: Head, request: AppendRequest): boolean {
  checkAttempt(head, request.attempt)
  const isRawCountCurrent = request.afterRaw === undefined || request.afterRaw === head.rawRecords
  return head.state !== 'ended' && request.afterSeq === head.seq && isRawCountCurrent
}

/** Throws unless the stored events at the append's place are the append's own: then only its answer was lost. */
export function checkRepeated(
  head: Head,
  request: AppendRequest,
  stored: readonly Entry[],
  events: readonly string[],
): void {
  const isStored =
    events.length === 0
      ? request.afterSeq === head.seq &&
        request.afterRaw === head.rawRecords - request.rawRecords &&
        request.rawRecords > 0
      : stored.length === events.length && stored.every(({ event }, index) => JSON.stringify(event) === events[index])
  if (isStored) return
  if (head.state === 'ended') throw new LogError('run-closed', request.runId)
  const { afterSeq, afterRaw = 'any' } = request
  const storedPosition = `${head.seq} entries and ${head.rawRecords} raw records are there`
  throw new LogError('wrong-position', `${storedPosition}, not ${afterSeq} and ${afterRaw}`)
}

/** Time never goes back within a run, whatever the clock does. */
export const stampOf = (head: Head, request: AppendRequest): number => Math.max(head.lastAt, request.at)

/** How many of an append's raw records had been read at each of its events. */
export function rawThroughOf({ inputs, events, through }: Append): readonly number[] {
  const counts = [0]
  for (const { by } of inputs) counts.push((counts.at(-1) ?? 0) + (by === 'producer' ? 1 : 0))
  return events.map((_, index) => counts[Math.min(through?.[index] ?? inputs.length, inputs.length)] ?? 0)
}

/** Who made each of an append's events; undefined if the producer made all of them, which is the usual case. */
export function makersOf({ by }: Append): readonly (EntryMaker | undefined)[] | undefined {
  return by?.some((maker) => maker !== 'producer')
    ? by.map((maker) => (maker === 'producer' ? undefined : maker))
    : undefined
}

/** The field of an entry that names its maker. `null` is an absent maker that went through JSON. */
export const makerField = (maker: EntryMaker | undefined | null): Pick<Entry, 'by'> => (maker ? { by: maker } : {})

/**
 * A value as it will be read again, so that a live reader sees no other thing than a later one: what JSON makes of it. Its
 * strings are shared, not copied: one of them may be megabytes long.
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
  events.flatMap((event) => (event.type === 'file' && event.fileId !== undefined ? [event.fileId] : []))

/** A column of text is UTF-8, which has no lone surrogates. */
export const wellFormed = (message: MessageRow): MessageRow => ({ ...message, content: message.content.toWellFormed() })

/** A run can be claimed again under its own attempt, and never under a lower one. */
export function checkAttempt(head: Pick<Head, 'attempt'>, attempt: number): void {
  if (attempt < head.attempt) throw new LogError('stale-attempt', `attempt ${head.attempt} fences attempt ${attempt}`)
}

/** Keys that were stored without a hash are taken at their word. */
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
