import { remember, rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { toldBy } from './told.ts'

/**
 * Streams that Millrace itself has written. Beside what the protocol says, their records hold under `millrace` what it
 * cannot: the type of the event that each was made from, and the fields that the protocol has none for.
 */
export interface OwnReader {
  /** Whether a record belongs to such a stream. It does once one before it did, for the smallest have no mark. */
  isOwn(record: JsonObject): boolean
  /** Nothing at all for a record that it does not know. */
  read(record: JsonObject): readonly StreamEvent[] | undefined
  hasRead(): boolean
}

/** What is known of the stream. */
export interface OwnState {
  /** The assistant's latest Event, as long as it is not complete. */
  eventId: Json | undefined
  /** The text that pieces belong to: the one that began last in that Event. */
  text: string | undefined
  /** How long each block is: one that is said whole again adds what is new. */
  readonly lengths: Map<string, number>
  error: JsonObject | undefined
}

type Piece = (record: JsonObject, state: OwnState) => { readonly [field: string]: Json | undefined }

const NOTHING: JsonObject = {}

/** The records that are made for every piece, and what a piece is. */
const PIECES: { readonly [type: string]: Piece } = {
  token: ({ content }, { text }) => ({ type: 'block-delta', blockId: text, text: content }),
  reasoning_summary_text_delta: ({ item_id, delta }) => ({ type: 'block-delta', blockId: item_id, text: delta }),
  tool_arguments_delta: ({ tool_id, delta }) => ({ type: 'tool-input-delta', callId: tool_id, text: delta }),
}

/**
 * What the protocol has words for happens once to a message, block or call: where a stream has both forms, the second
 * says nothing new.
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

export function createOwnReader(): OwnReader {
  const state: OwnState = { eventId: undefined, text: undefined, lengths: new Map(), error: undefined }
  const said = new Set<string>()
  let runId: Json | undefined
  /** How many records of the run were read, and how many of them have come again since it was begun again. */
  let seen = 0
  let place = 0

  /** A stream that is replayed from its start says nothing new until it has caught up. */
  function isReplayed(record: JsonObject): boolean {
    if (record.type === 'run_start') {
      const id = isJsonObject(record.millrace) ? record.millrace.runId : undefined
      if (id !== runId) seen = 0
      runId = id
      place = 0
    }
    return ++place <= seen
  }

  function read(record: JsonObject): readonly StreamEvent[] | undefined {
    const { type, metadata } = record
    const own = isJsonObject(record.millrace) ? record.millrace : NOTHING
    const piece = Object.hasOwn(PIECES, type as string) ? PIECES[type as string] : undefined
    if (piece === undefined && record.millrace === undefined) return undefined
    if (type === 'error') {
      state.error = own.error as JsonObject
      return [{ type: 'run-end', outcome: 'error', error: own.error } as unknown as StreamEvent]
    }
    if (piece === undefined && own.type === undefined) return isMadeUp(record) ? SILENT : undefined
    if (piece !== undefined && own === NOTHING && metadata === undefined) return [pieceOf(piece(record, state))]
    const told = piece === undefined ? toldBy(own.type as string, record, state) : piece(record, state)
    const timestamp = isJsonObject(metadata) ? metadata.timestamp : undefined
    const event = { ...told, ...own, ...(timestamp !== undefined && { sentAt: timestamp }) }
    if (type !== 'millrace' && isSaid(event as JsonObject)) return SILENT
    note(event as JsonObject, eventIdIn(record))
    return [withoutEmpty(event) as unknown as StreamEvent]
  }

  /** What most records are made for. */
  function pieceOf(event: ReturnType<Piece>): StreamEvent {
    const { blockId, text } = event as { readonly blockId?: string; readonly text?: string }
    if (blockId !== undefined && text !== undefined) grow(blockId, lengthOf(blockId) + text.length)
    return event as unknown as StreamEvent
  }

  function grow(blockId: string, length: number): void {
    if (state.lengths.has(blockId)) state.lengths.set(blockId, length)
    else remember(state.lengths, blockId, length)
  }

  const lengthOf = (blockId: string): number => state.lengths.get(blockId) ?? 0

  function isSaid(event: JsonObject): boolean {
    const type = event.type as string
    if (!Object.hasOwn(ONCE, type)) return false
    const key = `${type}\n${event[ONCE[type] as string]}\n${event.agentId ?? ''}`
    const isSecond = said.has(key)
    rememberOne(said, key)
    return isSecond
  }

  function note({ type, blockId, kind, text, role }: JsonObject, eventId: Json | undefined): void {
    if (type === 'message-start' && role === 'assistant' && eventId !== undefined) state.eventId = eventId
    if (type === 'message-end' && eventId === state.eventId) state.eventId = undefined
    if (typeof blockId !== 'string') return
    const length = type === 'block-patch' && typeof text === 'string' ? 0 : lengthOf(blockId)
    const added = typeof text === 'string' ? text.length : 0
    const isHere = eventId === undefined || eventId === (state.eventId ?? eventId)
    if (type === 'block-start' && kind === 'text' && isHere) state.text = blockId
    if (type === 'block-end') state.lengths.delete(blockId)
    else grow(blockId, length + added)
  }

  return {
    isOwn: (record) => seen > 0 || isJsonObject(record.millrace),
    read(record) {
      if (isReplayed(record)) return SILENT
      const events = read(record)
      seen = place
      return events
    },
    hasRead: () => seen > 0,
  }
}

const BUILT_IN_END = /^(web_search|code_interpreter)_call_(completed|failed)$/

/** The writer says with an empty mark that a tool of the provider's has ended, for the protocol's clients alone. */
function isMadeUp({ type, segment, millrace }: JsonObject): boolean {
  const isEmpty = isJsonObject(millrace) && Object.keys(millrace).length === 0
  const ended = isJsonObject(segment) ? `${segment.type}_${segment.status}` : type
  return isEmpty && BUILT_IN_END.test(String(ended))
}

/** The Event that a record names, if it names one. */
const eventIdIn = ({ event }: JsonObject): Json | undefined => (isJsonObject(event) ? event.id : undefined)

/** Fields without a value, and an error that only the wire has words for. */
function withoutEmpty(event: { readonly [field: string]: Json | undefined }): JsonObject {
  const kept: Record<string, Json> = {}
  for (const [field, value] of Object.entries(event)) if (value !== undefined) kept[field] = value
  if (kept.type === 'tool-output' && kept.error === '') delete kept.error
  return kept
}
