import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'

/** An Event, as far as it is read: one message, at its start or whole. */
export interface RawEvent {
  readonly id?: string | null
  readonly role?: string
  readonly segments?: readonly RawSegment[] | null
  readonly ts?: number | null
  readonly response_metadata?: ResponseMetadata | null
}

export interface ResponseMetadata {
  readonly model?: string | null
  readonly openai_response_id?: string | null
  readonly completion_status?: string | null
  readonly usage?: RawUsage | null
}

export interface RawUsage {
  readonly prompt_tokens?: number | null
  readonly completion_tokens?: number | null
  readonly total_tokens?: number | null
  readonly reasoning_tokens?: number | null
}

/** The fields of segments, as far as they are read. Each type of segment has some of them. */
interface SegmentFields {
  readonly id: string
  readonly started_at?: number | null
  readonly completed_at?: number | null
  readonly text?: string | null
  readonly sequence_number?: number | null
  readonly citations?: readonly JsonObject[] | null
  readonly name?: string | null
  readonly args?: Json
  readonly server_label?: string | null
  readonly display_name?: string | null
  readonly output?: Json
  readonly error?: string | null
  readonly parts?: readonly Part[] | null
  readonly combined_text?: string | null
  readonly signature?: string | null
  readonly encrypted_content?: string | null
  readonly status?: string | null
  readonly code?: string | null
}

type Segment<Type extends string> = SegmentFields & { readonly type: Type }

export type TextSegment = Segment<'text'>
export type CallSegment = Segment<'tool_call' | 'tool_result'>
/** Only reasoning may have no id. */
export type ReasoningSegment = Omit<Segment<'reasoning'>, 'id'> & { readonly id?: string | null }
/** A tool that the provider runs itself. */
export type BuiltInSegment = Segment<'web_search_call' | 'code_interpreter_call'>
export type RawSegment = TextSegment | CallSegment | ReasoningSegment | BuiltInSegment

export interface Part {
  readonly summary_index?: number | null
  readonly text?: string | null
  readonly sequence_number?: number | null
  readonly is_complete?: boolean | null
}

/** All fields that a record may have, at its root or in `data`. */
export interface Fields {
  readonly type: string
  readonly event?: RawEvent | null
  readonly segment?: RawSegment | null
  readonly content?: string | null
  readonly tool_id?: string | null
  readonly tool_name?: string | null
  readonly args?: Json
  readonly arguments?: string | null
  readonly delta?: string | { readonly text?: string } | null
  readonly output?: Json
  readonly error?: Json
  readonly server_label?: string | null
  readonly display_name?: string | null
  readonly item_id?: string | null
  readonly summary_index?: number | null
  readonly part?: { readonly text?: string | null } | null
  readonly parts?: readonly Part[] | null
  readonly text?: string | null
  readonly summary?: Json
  readonly combined_text?: string | null
  readonly sequence_number?: number | null
  readonly code?: string | null
  readonly tools?: Json
  readonly activity?: string | null
  readonly approval_request_id?: string | null
  readonly message?: string | null
  readonly metadata?: Metadata | null
}

export interface Metadata {
  readonly model?: string | null
  readonly conversationId?: string | null
  readonly timestamp?: number | null
}

/** A record's fields, from its root or from `data`. A record without a type has the type of its frame. */
export function rootOf(value: unknown, { name }: RawRecord): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  if (isStoredEvent(value)) return { type: STORED, event: value }
  const isNamed = value.type === undefined && name !== undefined
  if (!isJsonObject(value.data)) return isNamed ? { ...value, type: name } : value
  const { data, ...root } = value as { readonly data: JsonObject }
  return { ...data, ...root, ...(isNamed && { type: name }) }
}

/** The type that is assigned to an Event without an envelope, as a store keeps it. */
export const STORED = 'stored_event'

function isStoredEvent({ type, id, role, segments, state }: JsonObject): boolean {
  return (
    type === undefined &&
    state === undefined &&
    typeof id === 'string' &&
    typeof role === 'string' &&
    Array.isArray(segments)
  )
}
