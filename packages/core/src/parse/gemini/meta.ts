import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Meta } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'

/** Keeps fields that Google needs back with the next request as meta; empty if every field is absent. */
export function keep(fields: { readonly [field: string]: unknown }): { meta?: Meta } {
  const google = present(fields) as { readonly [field: string]: Json }
  return Object.keys(google).length === 0 ? {} : { meta: { google } }
}

/** How many fields are remembered, because a stream may have endlessly many. */
const MAX_FIELDS = 256

/** Returns the fields that are new or have another value than before; undefined if there are none. */
export function createChangedFields(): (fields: object) => JsonObject | undefined {
  const lastValues = new Map<string, unknown>()
  return (fields) => {
    const changed: Record<string, Json> = {}
    for (const [field, value] of Object.entries(fields)) {
      if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue
      const comparable = typeof value === 'object' ? JSON.stringify(value) : value
      if (lastValues.get(field) === comparable) continue
      remember(lastValues, field, comparable, MAX_FIELDS)
      changed[field] = value as Json
    }
    return Object.keys(changed).length === 0 ? undefined : changed
  }
}
