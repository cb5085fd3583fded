import type { StreamEvent } from '../../events.ts'
import type { RawRecord } from '../../source/source.ts'
import { understood } from '../parser.ts'
import type { Calls } from './calls.ts'
import { fromAgent } from './calls.ts'
import type { StreamLine } from './raw.ts'
import { begin, messageOf, type Thread } from './threads.ts'

/** The events of a stream event: those of the API, without what the surrounding lines add. */
export function streamEvents(thread: Thread, calls: Calls, raw: StreamLine, record: RawRecord): readonly StreamEvent[] {
  const event = complete(thread, raw.event)
  const events = thread.api.push(event, record)
  const [first] = events
  if (events.length === 1 && first?.type === 'block-delta') {
    thread.streamed.note(first, undefined)
    return events
  }
  const { index } = event
  const isJoined = thread.open === undefined && index !== undefined && events.length > 0
  const begun = isJoined && raw.api_message_id ? begin(thread, raw.api_message_id, {}) : []
  const read = events.flatMap((event) => eventsOf(thread, calls, event))
  if (thread.open !== undefined && index !== undefined)
    thread.open.nextIndex = Math.max(thread.open.nextIndex, index + 1)
  return events.length === 0 ? events : understood([...begun, ...read])
}

const OF_BLOCKS = /^content_block_(start|delta|stop)$/

/** Fills in what some producers leave out: the message's fields and the block's index. */
function complete(thread: Thread, event: StreamLine['event']): StreamLine['event'] {
  if (event.type === 'message_start') {
    thread.lastIndex = -1
    return event.message === undefined ? { ...event, message: {} } : event
  }
  if (event.index !== undefined) thread.lastIndex = event.index
  if (event.index !== undefined || !OF_BLOCKS.test(event.type)) return event
  if (event.type === 'content_block_start') thread.lastIndex += 1
  return { ...event, index: Math.max(thread.lastIndex, 0) }
}

function eventsOf(thread: Thread, calls: Calls, event: StreamEvent): readonly StreamEvent[] {
  const row = rows[event.type]
  if (row !== undefined) return row(thread, event as never, calls)
  thread.streamed.note(event, thread.open?.messageId)
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
  /** The program retries, or reports the failure in its result. */
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
  /** The message stays open, because a step is one call of the model including its tools. */
  'message-end'(thread) {
    if (thread.open !== undefined) thread.open.isStreaming = false
    return []
  },
  'tool-start': (_thread, event) => [fromAgent(event)],
  /** Left out if a whole line or the result came before the block's end. */
  'tool-input'(_thread, event, calls) {
    const call = calls.get(event.callId)
    return call?.hasInput || call?.isAnswered ? [] : [event]
  },
  usage: (thread, event) => [withOpenMessage(thread, event)],
  metadata: (thread, event) => [withOpenMessage(thread, event)],
}

function withOpenMessage(thread: Thread, event: StreamEvent): StreamEvent {
  return thread.open === undefined ? event : { ...event, messageId: thread.open.messageId }
}
