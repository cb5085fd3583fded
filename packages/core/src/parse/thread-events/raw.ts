import type { ThreadEvent } from '../../data/thread-event.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { numberIn, type Sparse, sentAtOf } from '../kit/fields.ts'

/** The fields of an event besides its content. */
interface Envelope {
  readonly id?: string | null
  readonly threadId?: string | null
  readonly timestamp?: string | number | null
  readonly context?: Sparse<{ threadId: string }> | null
}

type Stored<Event> = Event extends ThreadEvent ? Omit<Event, 'id' | 'timestamp'> & Envelope : never

interface Own<Type extends string, Data> extends Envelope {
  readonly type: Type
  readonly data: Data
}

/** The text of an agent, in the later form with its usage. */
interface AgentMessage {
  readonly content: string
  readonly tokenUsage?: Sparse<{ message: JsonObject }> | null
}

/** An event of a thread, as it is stored or sent. */
export type RawEvent =
  | Exclude<Stored<ThreadEvent>, { readonly type: 'AGENT_MESSAGE' }>
  | Own<'AGENT_MESSAGE', string | AgentMessage>
  | Own<'AGENT_TOKEN', { readonly token: string }>
  | Own<'TOOL_APPROVAL_REQUEST', { readonly toolCallId: string }>
  | Own<'TOOL_APPROVAL_RESPONSE', { readonly toolCallId: string; readonly decision: string }>
  | Own<'COMPACTION', JsonObject>

/** The events of a record: one, the row of a table, which holds its data as JSON text, or all that a thread holds. */
export function eventsIn(value: unknown): readonly unknown[] {
  if (!isJsonObject(value)) return [value]
  if (isThread(value)) return value.events as readonly unknown[]
  if (typeof value.thread_id !== 'string' || typeof value.data !== 'string') return [value]
  const { thread_id: threadId, data, ...row } = value
  return [{ ...row, threadId, data: JSON.parse(data) }]
}

/** A thread with its events. */
export function isThread({ id, events, type }: JsonObject): boolean {
  return typeof id === 'string' && type === undefined && Array.isArray(events) && events.length > 0
}

export function contentOf(data: string | AgentMessage): AgentMessage {
  const message = typeof data === 'string' ? { content: data } : data
  if (typeof message.content !== 'string') throw new TypeError('The message has no text.')
  return message
}

export function timeOf({ timestamp }: RawEvent): { readonly sentAt?: number } {
  const sentAt = numberIn(timestamp)
  return sentAt === undefined ? sentAtOf(timestamp) : { sentAt }
}
