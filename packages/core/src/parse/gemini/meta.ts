import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Meta } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'

/** What Google wants back with the next request, in its own words; nothing where every field is absent. */
export function keep(fields: { readonly [field: string]: unknown }): { meta?: Meta } {
  const google = present(fields) as { readonly [field: string]: Json }
  return Object.keys(google).length === 0 ? {} : { meta: { google } }
}

/** How many fields are remembered: a stream may invent them without end. */
const MAX_FIELDS = 256

/** Tells each field once, and again when its value is another. */
export function createNews(): (fields: object) => JsonObject | undefined {
  const told = new Map<string, unknown>()
  return (fields) => {
    const news: Record<string, Json> = {}
    for (const [field, value] of Object.entries(fields)) {
      if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue
      const known = typeof value === 'object' ? JSON.stringify(value) : value
      if (told.get(field) === known) continue
      remember(told, field, known, MAX_FIELDS)
      news[field] = value as Json
    }
    return Object.keys(news).length === 0 ? undefined : news
  }
}
