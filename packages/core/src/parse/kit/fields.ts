import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

/** Raw fields, each of which may be absent or null. */
export type Sparse<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | null }

/** The value if it is a string that is not empty. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value if it is a finite number. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The objects of a list; none if the value is not a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

const NO_FIELDS: JsonObject = {}

/** The value if it is an object, otherwise an object without fields. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : NO_FIELDS
}

/** The zone of a time. Without one, a time would depend on the machine that reads it. */
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i

/** A time with a zone, as a field of an event. */
export function sentAtOf(time: unknown): { readonly sentAt?: number } {
  const sentAt = typeof time === 'string' && ZONE.test(time) ? Date.parse(time) : Number.NaN
  return Number.isNaN(sentAt) ? {} : { sentAt }
}

/** The fields that have a value. Unlike in `present`, null is a value: for fields that Millrace itself has written. */
export function definedIn(fields: { readonly [field: string]: Json | undefined }): JsonObject {
  const kept: { [field: string]: Json } = {}
  for (const field in fields) {
    const value = fields[field]
    if (value !== undefined) kept[field] = value
  }
  return kept
}
