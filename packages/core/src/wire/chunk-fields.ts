import type { Meta } from '../event-fields.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Chunk } from './wire.ts'

/** Fields of ours that may be missing. */
export type Fields = { readonly [field: string]: Json | undefined }

/** The fields that are there: to a client, optional means absent. `null` is a value. */
export function defined(fields: Fields): JsonObject {
  return withDefined({}, fields)
}

/** A chunk, with its optional fields only where they are there. */
export function chunkOf(type: string, fields: Fields): Chunk {
  return withDefined({ type }, fields)
}

/** Adds the fields that are there to an object that is nobody else's. */
export function withDefined(kept: Record<string, Json>, fields: Fields): JsonObject {
  for (const field in fields) {
    const value = fields[field]
    if (value !== undefined) kept[field] = value
  }
  return kept
}

/** Two providers' words as one; the later one wins key by key. */
export function mergeMeta(earlier: Meta | undefined, later: Meta | undefined): Meta | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier
  const merged: Record<string, JsonObject> = { ...earlier }
  for (const [provider, values] of Object.entries(later)) merged[provider] = { ...merged[provider], ...values }
  return merged
}
