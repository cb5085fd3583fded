import type { StreamEvent } from '../../events.ts'
import type { RawRecord } from '../../source/source.ts'
import { understood } from '../parser.ts'
import type { Calls } from './calls.ts'
import type { StreamLine } from './raw.ts'
import { begin, messageOf, type Thread } from './threads.ts'
import { fromAgent } from './tools.ts'

/** The events of a stream event: those of the API, less what the lines around them say. */
export function streamEvents(thread: Thread, calls: Calls, raw: StreamLine, record: RawRecord): readonly StreamEvent[] {
  const event = completed(thread, raw.event)
  const events = thread.api.push(event, record)
  const [first] = events
  if (events.length === 1 && first?.type === 'block-delta') {
    thread.pieces.note(first, undefined)
    return events
  }
  const { index } = event
  const isJoined = thread.open === undefined && index !== undefined && events.length > 0
  const begun = isJoined && raw.api_message_id ? begin(thread, raw.api_message_id, {}) : []
  const read = events.flatMap((event) => eventsOf(thread, calls, event))
  if (thread.open !== undefined && index !== undefined) thread.open.next = Math.max(thread.open.next, index + 1)
  return events.length === 0 ? events : understood([...begun, ...read])
}

const OF_BLOCKS = /^content_block_(start|delta|stop)$/

/** Some who write such lines leave out what a reader can tell: the message's fields, the block's place. */
function completed(thread: Thread, event: StreamLine['event']): StreamLine['event'] {
  if (event.type === 'message_start') {
    thread.place = -1
    return event.message === undefined ? { ...event, message: {} } : event
  }
  if (event.index !== undefined) thread.place = event.index
  if (event.index !== undefined || !OF_BLOCKS.test(event.type)) return event
  if (event.type === 'content_block_start') thread.place += 1
  return { ...event, index: Math.max(thread.place, 0) }
}

function eventsOf(thread: Thread, calls: Calls, event: StreamEvent): readonly StreamEvent[] {
  const row = rows[event.type]
  if (row !== undefined) return row(thread, event as never, calls)
  thread.pieces.note(event, thread.open?.messageId)
  return [event]
}

type Rows = {
  readonly [Type in StreamEvent['type']]?: (
    thread: Thread,
    event: Extract<StreamEvent, { type: Type }>,
    calls: Calls,
  ) => readonly StreamEvent[]
}

const rows: Rows = {
  'run-start': () => [],
  /** The program asks again, or says so in its result. */
  'run-end': (_thread, { error }) => [{ type: 'error', message: 'The stream of the API failed', ...error }],
  'message-start'(thread, { messageId, model }) {
    const message = messageOf(thread, messageId)
    const events = begin(thread, messageId, { model })
    message.isStreamed = true
    message.isStreaming = true
    return events
  },
  'step-start': () => [],
  'step-end'(thread, { reason }) {
    if (thread.open !== undefined) thread.open.stopReason = reason
    return []
  },
  /** The tools are still to run: a step is one call of the model with its tools. */
  'message-end'(thread) {
    if (thread.open !== undefined) thread.open.isStreaming = false
    return []
  },
  'tool-start': (_thread, event) => [fromAgent(event)],
  /** A whole line, or the result itself, came before the block's end. */
  'tool-input'(_thread, event, calls) {
    const call = calls.get(event.callId)
    return call?.hasInput || call?.isAnswered ? [] : [event]
  },
  usage: (thread, event) => [named(thread, event)],
  metadata: (thread, event) => [named(thread, event)],
}

function named(thread: Thread, event: StreamEvent): StreamEvent {
  return thread.open === undefined ? event : { ...event, messageId: thread.open.messageId }
}
