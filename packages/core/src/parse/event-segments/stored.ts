import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

/** The type that is assigned to an Event without an envelope, as a store keeps it. */
export const STORED = 'stored_event'

/**
 * The records that a value holds: the Events of a conversation in their order, an Event as the row of a table, or the
 * value itself.
 */
export function recordsIn(value: unknown): readonly unknown[] {
  if (!isJsonObject(value)) return [value]
  if (isConversation(value)) return inOrder(value.events as readonly Json[]).map(eventOf)
  return [eventOf(value)]
}

/** Whether a value is an Event: an export of ours has a state, a record a type. */
export function isStoredEvent({ type, id, role, segments, state }: JsonObject): boolean {
  const isTyped = type !== undefined || state !== undefined
  return !isTyped && typeof id === 'string' && typeof role === 'string' && Array.isArray(segments)
}

function isConversation({ type, segments, events }: JsonObject): boolean {
  if (type !== undefined || segments !== undefined || !Array.isArray(events) || events.length === 0) return false
  return events.every((event) => isJsonObject(event) && isStoredEvent(eventOf(event) as JsonObject))
}

/** A table has no order: its rows have a key for it, which is compared by its bytes. */
function inOrder(events: readonly Json[]): readonly Json[] {
  const keyed = events.map((event) => ({ event, key: (event as JsonObject).order_key }))
  if (!keyed.every(({ key }) => typeof key === 'string')) return events
  return keyed.sort((one, other) => (String(one.key) < String(other.key) ? -1 : 1)).map(({ event }) => event)
}

/** An Event whose segments are JSON text, or whose reasoning is beside its segments, in the form that has neither. */
function eventOf(value: Json): Json {
  if (!isJsonObject(value) || typeof value.role !== 'string') return value
  const segments = segmentsIn(value)
  if (segments === undefined) return value
  const reasoning = isJsonObject(value.reasoning) ? reasoningOf(value.reasoning, segments) : []
  return segments === value.segments && reasoning.length === 0
    ? value
    : { ...value, segments: [...reasoning, ...segments] }
}

function segmentsIn({ segments }: JsonObject): readonly Json[] | undefined {
  const list = typeof segments === 'string' && segments.startsWith('[') ? parsed(segments) : segments
  return Array.isArray(list) ? list : undefined
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** An early store kept the reasoning of an Event in a field of its own, with its parts by their index. */
function reasoningOf({ item_id: id, parts, ...rest }: JsonObject, segments: readonly Json[]): readonly JsonObject[] {
  if (segments.some((segment) => isJsonObject(segment) && segment.type === 'reasoning')) return []
  const list = isJsonObject(parts) ? Object.values(parts) : parts
  return [{ ...rest, type: 'reasoning', ...(id !== undefined && { id }), ...(list !== undefined && { parts: list }) }]
}
