import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Sparse } from '../kit/fields.ts'
import { isStoredEvent, STORED } from './stored.ts'

/** An Event, as far as it is read: one message, at its start or whole. */
export type RawEvent = Sparse<{
  id: string
  role: string
  segments: readonly Fields[]
  ts: number
  response_metadata: ResponseMetadata
}>

export type ResponseMetadata = Sparse<{
  model: string
  openai_response_id: string
  completion_status: string
  usage: JsonObject
}>

/** A part of reasoning. */
export type Part = Sparse<{ summary_index: number; text: string; sequence_number: number; is_complete: boolean }>

/**
 * The fields of a record, at its root or in `data`, and those of a segment. The two forms have most of them in common;
 * each type has some of them.
 */
export interface Fields extends Part, CallFields {
  readonly type: string
  readonly event?: RawEvent | null
  readonly segment?: Fields | null
  readonly metadata?: Sparse<{ model: string; conversationId: string; timestamp: number }> | null
  readonly content?: string | null
  readonly delta?: string | { readonly text?: string } | null
  readonly citations?: readonly JsonObject[] | null
  readonly part?: Part | null
  readonly parts?: readonly Part[] | null
  readonly combined_text?: string | null
  readonly summary?: Json
  readonly signature?: string | null
  readonly encrypted_content?: string | null
  readonly activity?: string | null
  readonly message?: string | null
  readonly tools?: Json
  readonly approval_request_id?: string | null
  /** The fields of events that the protocol lacks, in an Event that Millrace has stored. */
  readonly millrace?: unknown
}

/** The fields of a call. A segment names it `id` and `name`, a record `tool_id` and `tool_name`, or only `item_id`. */
type CallFields = Sparse<{
  id: string
  tool_id: string
  item_id: string
  name: string
  tool_name: string
  server_label: string
  display_name: string
  started_at: number
  completed_at: number
  args: Json
  arguments: string
  output: Json
  error: Json
  status: string
  code: string
}>

/** A field that the record must have: without it, the record is not understood. */
export function required<Value>(value: Value | null | undefined): Value {
  if (value === undefined || value === null) throw new TypeError('A field is missing.')
  return value
}

export function textOf(value: Fields['delta']): string {
  const text = typeof value === 'object' ? value?.text : value
  if (typeof text !== 'string') throw new TypeError('The text is missing.')
  return text
}

/** A record's fields, from its root or from `data`. A record without a type has the type of its frame. */
export function rootOf(value: unknown, { name }: RawRecord): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  if (isStoredEvent(value)) {
    const { conversation_id: conversationId } = value
    return { type: STORED, event: value, ...(conversationId !== undefined && { metadata: { conversationId } }) }
  }
  const isNamed = value.type === undefined && name !== undefined
  if (!isJsonObject(value.data)) return isNamed ? { ...value, type: name } : value
  const { data, ...root } = value as { readonly data: JsonObject }
  return { ...data, ...root, ...(isNamed && { type: name }) }
}
