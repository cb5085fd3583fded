import { present } from '../data/present.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { createOrdered } from './chat-events/ordered.ts'
import { createEnding, endingAfter, runEndOf } from './chat-events/outcome.ts'
import type { RawChatEvent, RawRun } from './chat-events/raw.ts'
import { isChatEvent, isRun, recognize } from './chat-events/recognize.ts'
import { addSegments, type Lists } from './chat-events/segments.ts'
import { type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** Our own folded export, read back: folded again, it is the same. */
export const chatEvents: Parser = {
  version: 1,
  losses: {
    steps: 'A chat event is the smallest thing that has bounds.',
    rewrite: 'A text stands there as it became.',
    state: 'Shared state belongs to the run.',
    metadata: 'Metadata belong to the run.',
    control: 'What a person asked for is not drawn.',
  },
  recognize,
  create,
}

function create(): ParserState {
  const lists: Lists = new Map()
  let ending = createEnding()
  let said: EventOf<'run-end'> | undefined
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
      if (outcome !== undefined) said = { type: 'run-end', outcome, ...present({ error }) }
      return understood(events)
    },
    end() {
      if (said !== undefined) return [said]
      return isEmpty ? [] : runEndOf(ending)
    },
  }
}

function messageEvents(chatEvent: RawChatEvent, lists: Lists): readonly StreamEvent[] {
  const { role, state, segments, model, usage, meta, startedAt, endedAt } = chatEvent
  const messageId = messageIdOf(chatEvent)
  const out = createOrdered()
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

/** A chat event is called after its run and its message. */
function messageIdOf({ id, runId }: RawChatEvent): string {
  return runId !== undefined && id.startsWith(`${runId}/`) ? id.slice(runId.length + 1) : id
}
