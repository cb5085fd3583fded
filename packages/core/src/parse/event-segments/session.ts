import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Role } from '../../event-fields.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import { type Calls, createCalls } from './calls.ts'
import { addText, createMessage, endBlock, type Message } from './message.ts'
import { type Fields, type RawEvent, required, textOf } from './raw.ts'
import { addPart, itemIdOf, replayReasoning, settleItem } from './reasoning.ts'
import { addedEvents, pushCitations, pushEnd, settleTextsOf, withMillraceFields } from './whole.ts'

/** How many Events are remembered to recognise them when they are repeated. */
const MAX_EVENTS = 1024

/** The Events of one stream, and what each record adds to them. */
export interface Session {
  readonly calls: Calls
  /** The Event that a delta belongs to. If no record has begun one, the delta does. */
  currentMessage(): Message
  begin(out: Out, event: RawEvent, sentAt: number | undefined): void
  finish(out: Out, event: RawEvent, sentAt: number | undefined): void
  segment(out: Out, segment: Fields): void
  /** Ends the Event that is open, if there is one: the stream says that it is done. */
  endOpen(out: Out): void
  /** Adds metadata that every record repeats, if its value is new. */
  pushMetadata(out: Out, key: string, value: string | null | undefined): void
  /** Whether an Event is open. */
  isOpen(): boolean
}

type SegmentRows = { readonly [type: string]: (out: Out, raw: Fields) => void }

export function createSession(): Session {
  const messages = new Map<string, Message>()
  const lastMetadata = new Map<string, string>()
  let current: Message | undefined
  let unnamed = 0
  const calls = createCalls((out) => endBlock(out, current))

  function currentMessage(): Message {
    current ??= createMessage(`event-${++unnamed}`, false)
    return current
  }

  function begin(out: Out, event: RawEvent, sentAt: number | undefined): void {
    const existing = messages.get(event.id ?? '')
    if (roleOf(event) === 'tool') pushResults(out, event)
    else if (existing === undefined) beginNew(out, event, sentAt)
    else if (event.segments?.length) pushWhole(out, existing, event)
    else replay(existing)
  }

  function beginNew(out: Out, event: RawEvent, sentAt: number | undefined): void {
    const { id } = event
    if (typeof id !== 'string') throw new TypeError('The Event has no id.')
    if (isOpen()) pushEnd(out, currentMessage(), undefined)
    current = remember(messages, id, createMessage(id, true), MAX_EVENTS)
    const model = event.response_metadata?.model
    if (typeof model === 'string') lastMetadata.set('model', model)
    out.push({ type: 'message-start', messageId: id, role: roleOf(event), ...present({ model, sentAt }) })
    pushWhole(out, current, event)
  }

  /** Results are added to their calls, whichever Event holds them. */
  function pushResults(out: Out, event: RawEvent): void {
    if (!event.segments) out.push(...unmapped(event))
    for (const result of event.segments ?? []) segment(out, result)
  }

  /** A known Event begins again: the stream repeats what it has already sent. */
  function replay(message: Message): void {
    current = message
    message.deltas.replay(message.texts.reduce((length, { text }) => length + text.length, 0))
    replayReasoning(message)
  }

  function finish(out: Out, event: RawEvent, sentAt: number | undefined): void {
    if (roleOf(event) === 'tool') {
      pushResults(out, event)
      return
    }
    const isCurrent = current !== undefined && (!current.isNamed || event.id === current.id || !event.id)
    const existing = isCurrent ? current : messages.get(event.id ?? '')
    if (existing === undefined) begin(out, event, sentAt)
    else pushWhole(out, existing, event)
    const message = existing ?? current
    if (message === current) current = undefined
    if (message === undefined || message.isEnded) {
      required(event.segments)
      return
    }
    if (existing !== undefined) pushMetadata(out, 'model', event.response_metadata?.model)
    pushEnd(out, message, event.response_metadata)
  }

  /** Adds what a whole Event adds to its stream. Segments of one kind are settled in their order. */
  function pushWhole(out: Out, message: Message, event: RawEvent): void {
    const segments = event.segments ?? []
    const resultIds = new Set(segments.flatMap(({ type, id }) => (type === 'tool_result' ? [id] : [])))
    const whole: SegmentRows = {
      ...rows,
      text: settleTextsOf(message, segments),
      reasoning: (own, raw) => settleItem(own, message, raw),
      tool_call(own, raw) {
        calls.segment(own, raw)
        calls.input(own, raw, raw.args ?? {})
      },
    }
    for (const raw of segments) {
      // The status of a built-in tool only reports the end, if the output is in a segment of its own.
      const isAnswered = raw.type !== 'tool_result' && resultIds.has(raw.id)
      pushSegment(out, whole, isAnswered ? { ...raw, status: 'in_progress' } : raw)
    }
  }

  const rows: SegmentRows = {
    text(out, raw) {
      const message = currentMessage()
      addText(out, message, 'segment', textOf(raw.text), raw.sequence_number)
      pushCitations(out, message.texts.at(-1), raw)
    },
    reasoning(out, raw) {
      const message = currentMessage()
      const parts = raw.parts ?? []
      if (!parts.every((part) => 'text' in part)) throw new TypeError('A part of the reasoning has no text.')
      required(raw.parts ?? raw.combined_text ?? raw.signature ?? raw.encrypted_content)
      for (const part of parts) addPart(out, message, itemIdOf(message, raw), 'segment', part)
      settleItem(out, message, parts.length === 0 ? raw : { ...raw, parts: [], combined_text: null })
    },
    tool_call: calls.segment,
    tool_result: calls.output,
    web_search_call: calls.builtIn,
    code_interpreter_call: calls.builtIn,
  }

  const segment = (out: Out, raw: Fields) => pushSegment(out, rows, raw)

  function pushMetadata(out: Out, key: string, value: string | null | undefined): void {
    if (typeof value !== 'string' || lastMetadata.get(key) === value) return
    lastMetadata.set(key, value)
    out.push({ type: 'metadata', metadata: { [key]: value } })
  }

  function endOpen(out: Out): void {
    if (current !== undefined && !current.isEnded) pushEnd(out, current, undefined)
    current = undefined
  }

  const isOpen = () => current !== undefined && !current.isEnded
  return { calls, currentMessage, begin, finish, segment, endOpen, pushMetadata, isOpen }
}

function pushSegment(out: Out, rows: SegmentRows, raw: Fields): void {
  const row = Object.hasOwn(rows, raw.type) ? rows[raw.type] : undefined
  if (row === undefined) {
    out.push(...(addedEvents(raw) ?? unmapped({ type: 'segment', segment: raw })))
    return
  }
  const own: Out = []
  row(own, raw)
  out.push(...withMillraceFields(raw, own))
}

const ROLES: ReadonlySet<string> = new Set<Role>(['user', 'assistant', 'system', 'tool'])

/** An Event's role, by default the assistant. */
function roleOf({ role }: RawEvent): Role {
  return ROLES.has(role ?? '') ? (role as Role) : 'assistant'
}
