import type { RawRecord } from '../../source/source.ts'

type Value = { readonly [field: string]: unknown }

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A record's fields, whether they stand at its root or in `data`; a record without a type has that of its frame. */
export function rootOf(value: unknown, { name }: RawRecord): Value | undefined {
  if (!isObject(value)) return undefined
  if (isStoredEvent(value)) return { type: STORED, event: value }
  const isNamed = value.type === undefined && name !== undefined
  if (!isObject(value.data)) return isNamed ? { ...value, type: name } : value
  const { data, ...root } = value as { readonly data: Value }
  return { ...data, ...root, ...(isNamed && { type: name }) }
}

/** The type that an Event is given which comes alone, as a store keeps it. */
export const STORED = 'stored_event'

function isStoredEvent({ type, id, role, segments, state }: Value): boolean {
  return (
    type === undefined &&
    state === undefined &&
    typeof id === 'string' &&
    typeof role === 'string' &&
    Array.isArray(segments)
  )
}
