import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import { type Calls, createCalls } from './calls.ts'
import { addText, createDeltas, switchTo } from './message.ts'
import type { RawEvent, RawSegment } from './raw.ts'
import { addPart, replayReasoning } from './reasoning.ts'
import {
  type Message,
  pushCitations,
  pushEnd,
  pushExtra,
  pushReasoning,
  pushWhole,
  roleOf,
  withMillraceFields,
} from './whole.ts'

/** How many Events are remembered to recognise them when they are repeated. */
const MAX_EVENTS = 1024

/** The Events of one stream, and what each record adds to them. Results say whether a record without events is understood. */
export interface Session {
  readonly calls: Calls
  /** The Event that a delta belongs to. If no record has begun one, the delta does. */
  currentMessage(): Message
  begin(out: Out, event: RawEvent, sentAt: number | undefined): boolean
  finish(out: Out, event: RawEvent, sentAt: number | undefined): boolean
  segment(out: Out, segment: RawSegment): boolean
  /** Adds the events of a call. A call that starts ends the open block. */
  pushCall(out: Out, add: (own: Out) => void): void
  /** Adds metadata that every record repeats, if its value is new. */
  pushMetadata(out: Out, key: string, value: string | null | undefined): void
  /** Asks a person. The result of the call also answers the question. */
  ask(out: Out, question: EventOf<'approval'>): void
  /** Whether an Event is open. */
  isOpen(): boolean
}

export function createSession(): Session {
  const messages = new Map<string, Message>()
  const calls = createCalls()
  const lastMetadata = new Map<string, string>()
  const questions = new Map<string, EventOf<'approval'>>()
  let current: Message | undefined
  let unnamed = 0

  function createMessage(id: string, isNamed: boolean): Message {
    return { id, isNamed, texts: [], deltas: createDeltas(), reasoning: new Map(), open: undefined, isEnded: false }
  }

  function currentMessage(): Message {
    current ??= createMessage(`event-${++unnamed}`, false)
    return current
  }

  function begin(out: Out, event: RawEvent, sentAt: number | undefined): boolean {
    const { id, segments } = event
    const role = roleOf(event)
    if (role === 'tool') {
      // Results are added to their calls, whichever Event holds them.
      if (!segments) out.push(...unmapped(event))
      return (segments ?? []).map((raw) => segment(out, raw)).every(Boolean)
    }
    if (typeof id !== 'string') throw new TypeError('The Event has no id.')
    const existing = messages.get(id)
    if (existing !== undefined) return replay(out, existing, event)
    if (current !== undefined && !current.isEnded) pushEnd(out, current, undefined)
    const message = createMessage(id, true)
    remember(messages, id, message, MAX_EVENTS)
    current = message
    const model = event.response_metadata?.model
    if (typeof model === 'string') lastMetadata.set('model', model)
    out.push({ type: 'message-start', messageId: id, role, ...present({ model, sentAt }) })
    pushWhole(out, message, event, calls)
    return true
  }

  /** A known Event begins again: the stream repeats what it has already sent. */
  function replay(out: Out, message: Message, event: RawEvent): true {
    if ((event.segments ?? []).length > 0) pushWhole(out, message, event, calls)
    else {
      current = message
      message.deltas.replay(message.texts.reduce((length, { text }) => length + text.length, 0))
      replayReasoning(message)
    }
    return true
  }

  function finish(out: Out, event: RawEvent, sentAt: number | undefined): boolean {
    if (roleOf(event) === 'tool') return begin(out, event, sentAt)
    const isCurrent = current !== undefined && (!current.isNamed || event.id === current.id || !event.id)
    const existing = isCurrent ? current : messages.get(event.id ?? '')
    if (existing === undefined) begin(out, event, sentAt)
    else pushWhole(out, existing, event, calls)
    const message = existing ?? current
    if (message === current) current = undefined
    if (message === undefined || message.isEnded) return Boolean(event.segments)
    message.isEnded = true
    if (existing !== undefined) pushMetadata(out, 'model', event.response_metadata?.model)
    pushEnd(out, message, event.response_metadata)
    return true
  }

  const rows: {
    readonly [Type in RawSegment['type']]: (out: Out, raw: Extract<RawSegment, { type: Type }>) => unknown
  } = {
    text(out, raw) {
      const message = currentMessage()
      addText(out, message, 'segment', raw.text ?? '', raw.sequence_number)
      pushCitations(out, message, [raw])
      return typeof raw.text === 'string'
    },
    reasoning(out, raw) {
      const message = currentMessage()
      const itemId = raw.id ?? `${message.id}:reasoning`
      const parts = raw.parts ?? []
      for (const part of parts) addPart(out, message, itemId, 'segment', part)
      pushReasoning(out, message, parts.length === 0 ? raw : { ...raw, parts: [], combined_text: null })
      return Array.isArray(raw.parts) || typeof raw.combined_text === 'string'
    },
    tool_call: (out, raw) => pushCall(out, (own) => calls.segment(own, raw)),
    tool_result: (out, raw) => pushCall(out, (own) => calls.output(own, raw)),
    web_search_call: (out, raw) => pushCall(out, (own) => calls.builtIn(own, raw)),
    code_interpreter_call: (out, raw) => pushCall(out, (own) => calls.builtIn(own, raw)),
  }

  function segment(out: Out, raw: RawSegment): boolean {
    const own: Out = []
    if (!Object.hasOwn(rows, raw.type)) {
      if (!pushExtra(own, raw)) own.push(...unmapped({ type: 'segment', segment: raw }))
      out.push(...own)
      return true
    }
    const isUnderstood = rows[raw.type](own, raw as never) !== false
    out.push(...withMillraceFields(raw, own))
    return isUnderstood || own.length > 0
  }

  function pushCall(out: Out, add: (own: Out) => void): void {
    const own: Out = []
    add(own)
    if (own.some(({ type }) => type === 'tool-start')) switchTo(out, current, undefined)
    for (const event of own) {
      if (event.type === 'tool-output') answerQuestions(out, event.callId)
      out.push(event)
    }
  }

  function answerQuestions(out: Out, answeredId: string): void {
    for (const question of [...questions.values()]) {
      if (question.callId !== answeredId) continue
      questions.delete(question.approvalId)
      out.push({ ...question, state: 'approved' })
    }
  }

  function pushMetadata(out: Out, key: string, value: string | null | undefined): void {
    if (typeof value !== 'string' || lastMetadata.get(key) === value) return
    lastMetadata.set(key, value)
    out.push({ type: 'metadata', metadata: { [key]: value } })
  }

  function ask(out: Out, question: EventOf<'approval'>): void {
    remember(questions, question.approvalId, question, MAX_EVENTS)
    out.push(question)
  }

  const isOpen = () => current !== undefined && !current.isEnded
  return { calls, currentMessage, begin, finish, segment, pushCall, pushMetadata, ask, isOpen }
}
