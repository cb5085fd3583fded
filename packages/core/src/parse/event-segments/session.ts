import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { joined, SILENT, understood, unmapped } from '../parser.ts'
import { type Calls, createCalls } from './calls.ts'
import { extraEvents, withOwnFields } from './extra-segments.ts'
import { addText, createMessage, type Message } from './message.ts'
import { switchTo } from './open-block.ts'
import type { RawEvent, RawSegment } from './raw.ts'
import { addPart, replayReasoning } from './reasoning.ts'
import { citationEvents, endEvents, reasoningEvents, roleOf, wholeEvents } from './whole.ts'

/** How many Events are remembered, to know them when they come again. */
const MAX_EVENTS = 1024

/** The Events of one stream: what each record adds to them. */
export interface Session {
  readonly calls: Calls
  /** The Event that a piece belongs to. One that no record has begun is begun by its first piece. */
  speaker(): Message
  begin(event: RawEvent, sentAt: number | undefined): readonly StreamEvent[]
  finish(event: RawEvent, sentAt: number | undefined): readonly StreamEvent[]
  segment(segment: RawSegment): readonly StreamEvent[]
  /** Events of a call: one that begins ends the text before it. */
  called(events: readonly StreamEvent[]): readonly StreamEvent[]
  /** What is said with every record, when it is new. */
  once(key: string, value: string | null | undefined): StreamEvent[]
  /** A question to a person; the result of its call is also its answer. */
  asked(question: EventOf<'approval'>): readonly StreamEvent[]
  /** Whether an Event is under way. */
  isOpen(): boolean
  isAwaiting(): boolean
}

export function createSession(): Session {
  const messages = new Map<string, Message>()
  const calls = createCalls()
  const said = new Map<string, string>()
  const questions = new Map<string, EventOf<'approval'>>()
  let current: Message | undefined
  let unnamed = 0

  function speaker(): Message {
    current ??= createMessage(`event-${++unnamed}`, false)
    return current
  }

  function begin(event: RawEvent, sentAt: number | undefined): readonly StreamEvent[] {
    const role = roleOf(event)
    // Results stand at their calls, whichever Event brings them.
    if (role === 'tool') return event.segments ? joined(event.segments.map(segment)) : unmapped(event)
    const { id } = event
    if (typeof id !== 'string') throw new TypeError('An Event has no id.')
    const known = messages.get(id)
    if (known !== undefined) return again(known, event)
    const left = current === undefined || current.isEnded ? [] : endEvents(current, undefined)
    const message = createMessage(id, true)
    remember(messages, id, message, MAX_EVENTS)
    current = message
    const model = event.response_metadata?.model
    if (typeof model === 'string') said.set('model', model)
    const start = { type: 'message-start' as const, messageId: id, role, ...present({ model, sentAt }) }
    return [...left, start, ...wholeEvents(message, event, calls)]
  }

  /** An Event that is known begins again: what its stream has said already will come once more. */
  function again(message: Message, event: RawEvent): readonly StreamEvent[] {
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
    const known = isCurrent ? current : messages.get(event.id ?? '')
    const events = known === undefined ? begin(event, sentAt) : wholeEvents(known, event, calls)
    const message = known ?? current
    if (message === current) current = undefined
    if (message === undefined || message.isEnded) return event.segments ? understood(events) : events
    message.isEnded = true
    const named = known === undefined ? [] : once('model', event.response_metadata?.model)
    return [...events, ...named, ...endEvents(message, event.response_metadata)]
  }

  const rows: {
    readonly [Type in RawSegment['type']]: (raw: Extract<RawSegment, { type: Type }>) => readonly StreamEvent[]
  } = {
    text(raw) {
      const message = speaker()
      const events = addText(message, 'segment', raw.text ?? '', raw.sequence_number)
      const all = [...events, ...citationEvents(message, [raw])]
      return typeof raw.text === 'string' ? understood(all) : all
    },
    reasoning(raw) {
      const message = speaker()
      const itemId = raw.id ?? `${message.id}:reasoning`
      const { parts } = raw
      if (!parts || parts.length === 0) {
        const isGiven = Array.isArray(parts) || typeof raw.combined_text === 'string'
        const whole = reasoningEvents(message, raw)
        return isGiven ? understood(whole) : whole
      }
      const events = parts.flatMap((part) => addPart(message, itemId, 'segment', part))
      return understood([...events, ...reasoningEvents(message, { ...raw, parts: [], combined_text: null })])
    },
    tool_call: (raw) => understood(called(calls.segment(raw))),
    tool_result: (raw) => understood(called(calls.output(raw))),
    web_search_call: (raw) => understood(called(calls.builtIn(raw))),
    code_interpreter_call: (raw) => understood(called(calls.builtIn(raw))),
  }

  function segment(raw: RawSegment): readonly StreamEvent[] {
    if (!Object.hasOwn(rows, raw.type)) return extraEvents(raw) ?? unmapped({ type: 'segment', segment: raw })
    return withOwnFields(raw, rows[raw.type](raw as never))
  }

  function called(events: readonly StreamEvent[]): readonly StreamEvent[] {
    const isNew = events.some(({ type }) => type === 'tool-start')
    const before = isNew ? switchTo(current, undefined) : []
    return [...before, ...events.flatMap((event) => [...answered(event), event])]
  }

  function answered(event: StreamEvent): StreamEvent[] {
    if (event.type !== 'tool-output' || questions.size === 0) return []
    const found = [...questions.values()].filter(({ callId }) => callId === event.callId)
    for (const { approvalId } of found) questions.delete(approvalId)
    return found.map((question) => ({ ...question, state: 'approved' }))
  }

  function asked(question: EventOf<'approval'>): readonly StreamEvent[] {
    remember(questions, question.approvalId, question, MAX_EVENTS)
    return [question]
  }

  function once(key: string, value: string | null | undefined): StreamEvent[] {
    if (typeof value !== 'string' || said.get(key) === value) return []
    said.set(key, value)
    return [{ type: 'metadata', metadata: { [key]: value } }]
  }

  const isOpen = () => current !== undefined && !current.isEnded
  const isAwaiting = () => questions.size > 0
  return { calls, speaker, begin, finish, segment, called, once, asked, isOpen, isAwaiting }
}
