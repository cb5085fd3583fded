import { present } from '../data/present.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { isJsonObject } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import { createOrderedEvents } from './chat-events/ordered.ts'
import { createEnding, endingAfter, runEndOf } from './chat-events/outcome.ts'
import type { RawChatEvent, RawRun } from './chat-events/raw.ts'
import { addSegments, type Lists } from './chat-events/segments.ts'
import type { Recognition } from './parser.ts'
import { type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** Millrace's own folded export, read back. Folding the events again gives the same export. */
export const chatEvents: Parser = {
  version: 2,
  losses: {
    steps: 'A chat event is the smallest unit with a start and an end.',
    rewrite: 'An export holds the final text only.',
    state: 'Shared state belongs to the run.',
    metadata: 'Metadata belongs to the run.',
    control: 'Requests of a person are not drawn.',
  },
  recognize,
  create,
}

function create(): ParserState {
  const lists: Lists = new Map()
  let ending = createEnding()
  let reportedEnd: EventOf<'run-end'> | undefined
  let isEmpty = true

  function read(chatEvent: RawChatEvent): readonly StreamEvent[] {
    const events = messageEvents(chatEvent, lists)
    ending = endingAfter(ending, chatEvent)
    isEmpty = false
    return events
  }

  return {
    push(value) {
      if (isChatEvent(value)) return read(value as RawChatEvent)
      if (!isRun(value)) return unmapped(value)
      const { chatEvents: all, outcome, error } = value as RawRun
      const events = all.flatMap(read)
      // The last run of a thread decides, even if it goes on.
      reportedEnd = outcome && { type: 'run-end', outcome, ...present({ error }) }
      return understood(events)
    },
    end() {
      if (reportedEnd !== undefined) return [reportedEnd]
      return isEmpty ? [] : runEndOf(ending)
    },
  }
}

function messageEvents(chatEvent: RawChatEvent, lists: Lists): readonly StreamEvent[] {
  const { role, state, segments, model, usage, meta, startedAt, endedAt } = chatEvent
  const messageId = messageIdOf(chatEvent)
  const out = createOrderedEvents()
  addSegments(segments, {}, lists, out)
  const start = { type: 'message-start' as const, messageId, role, ...present({ model, meta, sentAt: startedAt }) }
  const used: StreamEvent[] = usage ? [{ type: 'usage', scope: 'step', mode: 'snapshot', ...usage }] : []
  const end: StreamEvent = {
    type: 'message-end',
    messageId,
    ...(state === 'interrupted' && { interrupted: true }),
    ...present({ sentAt: endedAt }),
  }
  const retract: StreamEvent = { type: 'message-retract', messageIds: [messageId] }
  return [
    start,
    ...out.events(),
    ...used,
    ...(state === 'live' ? [] : [end]),
    ...(state === 'retracted' ? [retract] : []),
  ]
}

/** The id of a chat event consists of the ids of its run and its message. */
function messageIdOf({ id, runId }: RawChatEvent): string {
  return runId !== undefined && id.startsWith(`${runId}/`) ? id.slice(runId.length + 1) : id
}

/** Whether a value has the main fields of a chat event. */
function isChatEvent(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { id, role, state, segments } = value
  return typeof id === 'string' && typeof role === 'string' && typeof state === 'string' && Array.isArray(segments)
}

/** Whether a value is a run or a thread: an object that holds chat events. */
function isRun(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value.chatEvents) && value.chatEvents.every(isChatEvent)
}

function recognize({ value }: RawRecord): Recognition | undefined {
  if (isChatEvent(value)) return { certainty: 1, reason: 'a record is a chat event of segments' }
  return isRun(value) ? { certainty: 0.95, reason: 'a record holds chat events of segments' } : undefined
}
