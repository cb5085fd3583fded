import { remember, rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { definedIn, objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { isEmpty } from '../kit/keep.ts'
import { SILENT } from '../parser.ts'

/**
 * Reads streams that Millrace itself has written. Their records hold under `millrace` what the protocol cannot express:
 * the type of the event that each was made from, and the fields that the protocol lacks.
 */
export interface MillraceReader {
  /** Whether a record belongs to such a stream. All records after the first do, because deltas have no mark. */
  isMillrace(record: JsonObject): boolean
  /** Undefined for a record that is not recognised. */
  read(record: JsonObject): readonly StreamEvent[] | undefined
  hasRead(): boolean
}

interface State {
  /** The assistant's latest Event while it is not complete. */
  eventId: Json | undefined
  /** The id of the text block that deltas belong to: the one that began last in that Event. */
  text: string | undefined
  /** The length of each block, to find what is new in a block that is sent whole again. */
  readonly lengths: Map<string, number>
  error: JsonObject | undefined
}

type EventFields = { readonly [field: string]: Json | undefined }

/** The records of deltas, and the event that each one maps to. */
const DELTAS: { readonly [type: string]: (record: JsonObject, state: State) => EventFields } = {
  token: ({ content }, { text }) => ({ type: 'block-delta', blockId: text, text: content }),
  reasoning_summary_text_delta: ({ item_id, delta }) => ({ type: 'block-delta', blockId: item_id, text: delta }),
  tool_arguments_delta: ({ tool_id, delta }) => ({ type: 'tool-input-delta', callId: tool_id, text: delta }),
}

/**
 * Each of these happens once to a message, block or call. If a stream has both forms, the second is a repetition. The
 * value is the field that identifies what it happens to.
 */
const ONCE: { readonly [type: string]: string } = {
  'message-start': 'messageId',
  'message-end': 'messageId',
  'block-start': 'blockId',
  'tool-start': 'callId',
  'tool-input': 'callId',
  'tool-progress': 'callId',
  'tool-output': 'callId',
}

export function createMillraceReader(): MillraceReader {
  const state: State = { eventId: undefined, text: undefined, lengths: new Map(), error: undefined }
  const emittedKeys = new Set<string>()
  let runId: Json | undefined
  /** How many records of the run were read, and how many of them were repeated since its last start. */
  let readCount = 0
  let position = 0

  /** A stream that is replayed from its start has nothing new until it has caught up. */
  function isReplayed(record: JsonObject): boolean {
    if (record.type === 'run_start') {
      const id = objectIn(record.millrace).runId
      if (id !== runId) readCount = 0
      runId = id
      position = 0
    }
    return ++position <= readCount
  }

  function read(record: JsonObject): readonly StreamEvent[] | undefined {
    const { type, metadata, millrace } = record
    const mapDelta = Object.hasOwn(DELTAS, type as string) ? DELTAS[type as string] : undefined
    if (mapDelta !== undefined) {
      const event = mapDelta(record, state)
      grow(event)
      return [(metadata === undefined && millrace === undefined ? event : complete(event, record)) as never]
    }
    if (!isJsonObject(millrace)) return undefined
    if (type === 'error') {
      state.error = millrace.error as JsonObject
      return [{ type: 'run-end', outcome: 'error', error: millrace.error } as unknown as StreamEvent]
    }
    if (typeof millrace.type !== 'string') return isForClientsOnly(record) ? SILENT : undefined
    const event = complete(fieldsOf(millrace.type, record, state), record)
    if (type !== 'millrace' && isRepeated(event)) return SILENT
    track(event, objectIn(record.event).id)
    return [event as unknown as StreamEvent]
  }

  function isRepeated(event: JsonObject): boolean {
    const type = event.type as string
    if (!Object.hasOwn(ONCE, type)) return false
    const key = `${type}\n${event[ONCE[type] as string]}\n${event.agentId ?? ''}`
    const isSecond = emittedKeys.has(key)
    rememberOne(emittedKeys, key)
    return isSecond
  }

  function track(event: JsonObject, eventId: Json | undefined): void {
    const { type, blockId, kind, role, text } = event
    if (type === 'message-start' && role === 'assistant' && eventId !== undefined) state.eventId = eventId
    if (type === 'message-end' && eventId === state.eventId) state.eventId = undefined
    const isCurrentEvent = eventId === undefined || eventId === (state.eventId ?? eventId)
    if (type === 'block-start' && kind === 'text' && isCurrentEvent) state.text = textIn(blockId)
    if (type === 'block-end' || (type === 'block-patch' && text !== undefined)) state.lengths.delete(blockId as string)
    if (type !== 'block-end') grow(event)
  }

  function grow({ blockId, text }: EventFields): void {
    if (typeof blockId !== 'string' || typeof text !== 'string') return
    const length = state.lengths.get(blockId)
    if (length === undefined) remember(state.lengths, blockId, text.length)
    else state.lengths.set(blockId, length + text.length)
  }

  return {
    isMillrace: (record) => readCount > 0 || isJsonObject(record.millrace),
    read(record) {
      if (isReplayed(record)) return SILENT
      const events = read(record)
      readCount = position
      return events
    },
    hasRead: () => readCount > 0,
  }
}

/** An event with the fields under `millrace`, which take precedence, and its time. */
function complete(fields: EventFields, { millrace, metadata }: JsonObject): JsonObject {
  const event = definedIn({ ...fields, ...objectIn(millrace), sentAt: objectIn(metadata).timestamp })
  if (event.type !== 'tool-output' || event.error !== '') return event
  // The wire adds an empty error.
  const { error: _error, ...withoutError } = event
  return withoutError
}

const BUILT_IN_END = /^(web_search|code_interpreter)_call_(completed|failed)$/

/** The wire marks the end of a built-in tool with an empty `millrace`, because only the protocol's clients need it. */
function isForClientsOnly({ type, segment, millrace }: JsonObject): boolean {
  const ended = isJsonObject(segment) ? `${segment.type}_${segment.status}` : type
  return isEmpty(objectIn(millrace)) && BUILT_IN_END.test(String(ended))
}

type ReadFields = (record: JsonObject, segment: JsonObject, state: State) => EventFields

/** The text of a segment. Reasoning has its text in parts. */
function textOf({ text, parts }: JsonObject): string {
  return typeof text === 'string'
    ? text
    : objectsIn(parts)
        .map((part) => textIn(part.text) ?? '')
        .join('')
}

/** The tool of a record or segment like `web_search_call_searching`. */
const toolIn = (type: Json | undefined) => /^(web_search|code_interpreter)_call/.exec(String(type))?.[1]

const idIn = (record: JsonObject, segment: JsonObject) => segment.id ?? record.tool_id ?? record.item_id

/** The event fields that the protocol's own fields hold. An event without a row is a segment as it is. */
const rows: { readonly [type: string]: ReadFields } = {
  'run-start': ({ metadata }) => ({ model: objectIn(metadata).model }),
  'run-end': (_record, _segment, { error }) => ({ error }),
  'message-start'({ event }) {
    const { id, role, response_metadata: details } = objectIn(event)
    return { messageId: id, role, model: objectIn(details).model }
  },
  'message-end': ({ event }) => ({ messageId: objectIn(event).id }),
  'block-start': ({ type, item_id: id }, segment) => ({
    blockId: segment.id ?? id,
    kind: segment.type ?? (type === 'reasoning_start' ? 'reasoning' : 'text'),
  }),
  'block-delta': (_record, segment, { lengths }) => ({
    blockId: segment.id,
    text: textOf(segment).slice(lengths.get(segment.id as string) ?? 0),
  }),
  'block-patch': (_record, segment) => (segment.id === undefined ? {} : { blockId: segment.id, text: textOf(segment) }),
  'tool-start': (record, segment) => ({
    callId: idIn(record, segment),
    name: segment.name ?? record.tool_name ?? toolIn(segment.type ?? record.type),
    server: segment.server_label ?? record.server_label,
    title: segment.display_name ?? record.display_name,
  }),
  'tool-input'(record, segment) {
    const { args, code } = segment.id === undefined ? record : segment
    // Arguments that are not valid JSON are not the input.
    const isUnreadable = objectIn(record.millrace).error !== undefined
    return { callId: idIn(record, segment), input: isUnreadable ? undefined : code === undefined ? args : { code } }
  },
  'tool-progress': (record, segment) => ({ callId: idIn(record, segment) }),
  'tool-output'(record, segment) {
    const { output, error } = segment.id === undefined ? record : segment
    return { callId: idIn(record, segment), output, error }
  },
  'subagent-end': (_record, { agentId, status, summary }) => ({ agentId, status, summary }),
}

function fieldsOf(type: string, record: JsonObject, state: State): EventFields {
  const { type: _type, millrace: _millrace, ...fields } = objectIn(record.segment)
  return Object.hasOwn(rows, type) ? (rows[type] as ReadFields)(record, objectIn(record.segment), state) : fields
}
