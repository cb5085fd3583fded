import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'

/** A record's fields, whether they stand at its root or in `data`; a record without a type has that of its frame. */
export function rootOf(value: unknown, { name }: RawRecord): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  if (isStoredEvent(value)) return { type: STORED, event: value }
  const isNamed = value.type === undefined && name !== undefined
  if (!isJsonObject(value.data)) return isNamed ? { ...value, type: name } : value
  const { data, ...root } = value as { readonly data: JsonObject }
  return { ...data, ...root, ...(isNamed && { type: name }) }
}

/** The type that an Event is given which comes alone, as a store keeps it. */
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
