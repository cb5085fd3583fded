import { remember, rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { fieldsOfEvent } from './event-fields.ts'

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

export interface MillraceState {
  /** The assistant's latest Event while it is not complete. */
  eventId: Json | undefined
  /** The id of the text block that deltas belong to: the one that began last in that Event. */
  text: string | undefined
  /** The length of each block, to find what is new in a block that is sent whole again. */
  readonly lengths: Map<string, number>
  error: JsonObject | undefined
}

type MapDelta = (record: JsonObject, state: MillraceState) => { readonly [field: string]: Json | undefined }

const NOTHING: JsonObject = {}

/** The records of deltas, and the event that each one maps to. */
const DELTAS: { readonly [type: string]: MapDelta } = {
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
  const state: MillraceState = { eventId: undefined, text: undefined, lengths: new Map(), error: undefined }
  const emittedKeys = new Set<string>()
  let runId: Json | undefined
  /** How many records of the run were read, and how many of them were repeated since its last start. */
  let readCount = 0
  let position = 0

  /** A stream that is replayed from its start has nothing new until it has caught up. */
  function isReplayed(record: JsonObject): boolean {
    if (record.type === 'run_start') {
      const id = isJsonObject(record.millrace) ? record.millrace.runId : undefined
      if (id !== runId) readCount = 0
      runId = id
      position = 0
    }
    return ++position <= readCount
  }

  function read(record: JsonObject): readonly StreamEvent[] | undefined {
    const { type, metadata } = record
    const millraceFields = isJsonObject(record.millrace) ? record.millrace : NOTHING
    const mapDelta = Object.hasOwn(DELTAS, type as string) ? DELTAS[type as string] : undefined
    if (mapDelta === undefined && record.millrace === undefined) return undefined
    if (type === 'error') {
      state.error = millraceFields.error as JsonObject
      return [{ type: 'run-end', outcome: 'error', error: millraceFields.error } as unknown as StreamEvent]
    }
    if (mapDelta === undefined && millraceFields.type === undefined)
      return isForClientsOnly(record) ? SILENT : undefined
    if (mapDelta !== undefined && millraceFields === NOTHING && metadata === undefined)
      return [deltaEvent(mapDelta(record, state))]
    const protocolFields =
      mapDelta === undefined ? fieldsOfEvent(millraceFields.type as string, record, state) : mapDelta(record, state)
    const timestamp = isJsonObject(metadata) ? metadata.timestamp : undefined
    const event = { ...protocolFields, ...millraceFields, ...(timestamp !== undefined && { sentAt: timestamp }) }
    if (type !== 'millrace' && isRepeated(event as JsonObject)) return SILENT
    track(event as JsonObject, eventIdIn(record))
    return [withoutEmpty(event) as unknown as StreamEvent]
  }

  /** The event of a delta, the most frequent record. */
  function deltaEvent(event: ReturnType<MapDelta>): StreamEvent {
    const { blockId, text } = event as { readonly blockId?: string; readonly text?: string }
    if (blockId !== undefined && text !== undefined) grow(blockId, lengthOf(blockId) + text.length)
    return event as unknown as StreamEvent
  }

  function grow(blockId: string, length: number): void {
    if (state.lengths.has(blockId)) state.lengths.set(blockId, length)
    else remember(state.lengths, blockId, length)
  }

  const lengthOf = (blockId: string): number => state.lengths.get(blockId) ?? 0

  function isRepeated(event: JsonObject): boolean {
    const type = event.type as string
    if (!Object.hasOwn(ONCE, type)) return false
    const key = `${type}\n${event[ONCE[type] as string]}\n${event.agentId ?? ''}`
    const isSecond = emittedKeys.has(key)
    rememberOne(emittedKeys, key)
    return isSecond
  }

  function track({ type, blockId, kind, text, role }: JsonObject, eventId: Json | undefined): void {
    if (type === 'message-start' && role === 'assistant' && eventId !== undefined) state.eventId = eventId
    if (type === 'message-end' && eventId === state.eventId) state.eventId = undefined
    if (typeof blockId !== 'string') return
    const length = type === 'block-patch' && typeof text === 'string' ? 0 : lengthOf(blockId)
    const addedLength = typeof text === 'string' ? text.length : 0
    const isCurrentEvent = eventId === undefined || eventId === (state.eventId ?? eventId)
    if (type === 'block-start' && kind === 'text' && isCurrentEvent) state.text = blockId
    if (type === 'block-end') state.lengths.delete(blockId)
    else grow(blockId, length + addedLength)
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

const BUILT_IN_END = /^(web_search|code_interpreter)_call_(completed|failed)$/

/** The wire marks the end of a built-in tool with an empty `millrace`, because only the protocol's clients need it. */
function isForClientsOnly({ type, segment, millrace }: JsonObject): boolean {
  const isEmpty = isJsonObject(millrace) && Object.keys(millrace).length === 0
  const ended = isJsonObject(segment) ? `${segment.type}_${segment.status}` : type
  return isEmpty && BUILT_IN_END.test(String(ended))
}

/** The id of the Event in a record, if it has one. */
const eventIdIn = ({ event }: JsonObject): Json | undefined => (isJsonObject(event) ? event.id : undefined)

/** Removes fields without a value, and an empty error that the wire adds. */
function withoutEmpty(event: { readonly [field: string]: Json | undefined }): JsonObject {
  const kept: Record<string, Json> = {}
  for (const [field, value] of Object.entries(event)) if (value !== undefined) kept[field] = value
  if (kept.type === 'tool-output' && kept.error === '') delete kept.error
  return kept
}
