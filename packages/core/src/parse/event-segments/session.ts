import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { joined, SILENT, understood, unmapped } from '../parser.ts'
import { switchTo } from './blocks.ts'
import { type Calls, createCalls } from './calls.ts'
import { extraEvents, withMillraceFields } from './extra-segments.ts'
import { addText, createMessage, type Message } from './message.ts'
import type { RawEvent, RawSegment } from './raw.ts'
import { addPart, replayReasoning } from './reasoning.ts'
import { citationEvents, endEvents, reasoningEvents, roleOf, wholeEvents } from './whole.ts'

/** How many Events are remembered to recognise them when they are repeated. */
const MAX_EVENTS = 1024

/** The Events of one stream, and what each record adds to them. */
export interface Session {
  readonly calls: Calls
  /** The Event that a delta belongs to. If no record has begun one, the delta does. */
  currentMessage(): Message
  begin(event: RawEvent, sentAt: number | undefined): readonly StreamEvent[]
  finish(event: RawEvent, sentAt: number | undefined): readonly StreamEvent[]
  segment(segment: RawSegment): readonly StreamEvent[]
  /** Adds the events of a call. A call that starts ends the open block. */
  addCallEvents(events: readonly StreamEvent[]): readonly StreamEvent[]
  /** Metadata that every record repeats, if its value is new. */
  metadataOnce(key: string, value: string | null | undefined): StreamEvent[]
  /** Asks a person. The result of the call also answers the question. */
  ask(question: EventOf<'approval'>): readonly StreamEvent[]
  /** Whether an Event is open. */
  isOpen(): boolean
  isAwaiting(): boolean
}

export function createSession(): Session {
  const messages = new Map<string, Message>()
  const calls = createCalls()
  const lastMetadata = new Map<string, string>()
  const questions = new Map<string, EventOf<'approval'>>()
  let current: Message | undefined
  let unnamed = 0

  function currentMessage(): Message {
    current ??= createMessage(`event-${++unnamed}`, false)
    return current
  }

  function begin(event: RawEvent, sentAt: number | undefined): readonly StreamEvent[] {
    const role = roleOf(event)
    // Results are added to their calls, whichever Event holds them.
    if (role === 'tool') return event.segments ? joined(event.segments.map(segment)) : unmapped(event)
    const { id } = event
    if (typeof id !== 'string') throw new TypeError('The Event has no id.')
    const existing = messages.get(id)
    if (existing !== undefined) return replay(existing, event)
    const endOfOpen = current === undefined || current.isEnded ? [] : endEvents(current, undefined)
    const message = createMessage(id, true)
    remember(messages, id, message, MAX_EVENTS)
    current = message
    const model = event.response_metadata?.model
    if (typeof model === 'string') lastMetadata.set('model', model)
    const start = { type: 'message-start' as const, messageId: id, role, ...present({ model, sentAt }) }
    return [...endOfOpen, start, ...wholeEvents(message, event, calls)]
  }

  /** A known Event begins again: the stream repeats what it has already sent. */
  function replay(message: Message, event: RawEvent): readonly StreamEvent[] {
    if ((event.segments ?? []).length > 0) return understood(wholeEvents(message, event, calls))
    current = message
    message.toSkip = message.texts.reduce((length, { text }) => length + text.length, 0)
    message.lastSequence = -1
    replayReasoning(message)
    return SILENT
  }

  function finish(event: RawEvent, sentAt: number | undefined): readonly StreamEvent[] {
    if (roleOf(event) === 'tool') return begin(event, sentAt)
    const isCurrent = current !== undefined && (!current.isNamed || event.id === current.id || !event.id)
    const existing = isCurrent ? current : messages.get(event.id ?? '')
    const events = existing === undefined ? begin(event, sentAt) : wholeEvents(existing, event, calls)
    const message = existing ?? current
    if (message === current) current = undefined
    if (message === undefined || message.isEnded) return event.segments ? understood(events) : events
    message.isEnded = true
    const modelEvents = existing === undefined ? [] : metadataOnce('model', event.response_metadata?.model)
    return [...events, ...modelEvents, ...endEvents(message, event.response_metadata)]
  }

  const rows: {
    readonly [Type in RawSegment['type']]: (raw: Extract<RawSegment, { type: Type }>) => readonly StreamEvent[]
  } = {
    text(raw) {
      const message = currentMessage()
      const events = addText(message, 'segment', raw.text ?? '', raw.sequence_number)
      const all = [...events, ...citationEvents(message, [raw])]
      return typeof raw.text === 'string' ? understood(all) : all
    },
    reasoning(raw) {
      const message = currentMessage()
      const itemId = raw.id ?? `${message.id}:reasoning`
      const { parts } = raw
      if (!parts || parts.length === 0) {
        const hasText = Array.isArray(parts) || typeof raw.combined_text === 'string'
        const whole = reasoningEvents(message, raw)
        return hasText ? understood(whole) : whole
      }
      const events = parts.flatMap((part) => addPart(message, itemId, 'segment', part))
      return understood([...events, ...reasoningEvents(message, { ...raw, parts: [], combined_text: null })])
    },
    tool_call: (raw) => understood(addCallEvents(calls.segment(raw))),
    tool_result: (raw) => understood(addCallEvents(calls.output(raw))),
    web_search_call: (raw) => understood(addCallEvents(calls.builtIn(raw))),
    code_interpreter_call: (raw) => understood(addCallEvents(calls.builtIn(raw))),
  }

  function segment(raw: RawSegment): readonly StreamEvent[] {
    if (!Object.hasOwn(rows, raw.type)) return extraEvents(raw) ?? unmapped({ type: 'segment', segment: raw })
    return withMillraceFields(raw, rows[raw.type](raw as never))
  }

  function addCallEvents(events: readonly StreamEvent[]): readonly StreamEvent[] {
    const isNew = events.some(({ type }) => type === 'tool-start')
    const before = isNew ? switchTo(current, undefined) : []
    return [...before, ...events.flatMap((event) => [...answerEvents(event), event])]
  }

  function answerEvents(event: StreamEvent): StreamEvent[] {
    if (event.type !== 'tool-output' || questions.size === 0) return []
    const found = [...questions.values()].filter(({ callId }) => callId === event.callId)
    for (const { approvalId } of found) questions.delete(approvalId)
    return found.map((question) => ({ ...question, state: 'approved' }))
  }

  function ask(question: EventOf<'approval'>): readonly StreamEvent[] {
    remember(questions, question.approvalId, question, MAX_EVENTS)
    return [question]
  }

  function metadataOnce(key: string, value: string | null | undefined): StreamEvent[] {
    if (typeof value !== 'string' || lastMetadata.get(key) === value) return []
    lastMetadata.set(key, value)
    return [{ type: 'metadata', metadata: { [key]: value } }]
  }

  const isOpen = () => current !== undefined && !current.isEnded
  const isAwaiting = () => questions.size > 0
  return { calls, currentMessage, begin, finish, segment, addCallEvents, metadataOnce, ask, isOpen, isAwaiting }
}
