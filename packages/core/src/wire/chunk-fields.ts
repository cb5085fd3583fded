import type { Meta } from '../event-fields.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Chunk } from './wire.ts'

/** Fields whose values may be undefined. */
export type Fields = { readonly [field: string]: Json | undefined }

/** The fields that have a value. To a client, optional means absent; `null` is a value. */
export function defined(fields: Fields): JsonObject {
  return withDefined({}, fields)
}

/** A chunk with the fields that have a value. */
export function chunkOf(type: string, fields: Fields): Chunk {
  return withDefined({ type }, fields)
}

/** Adds the fields that have a value to `kept`, which it changes: the caller MUST own that object. */
export function withDefined(kept: Record<string, Json>, fields: Fields): JsonObject {
  for (const field in fields) {
    const value = fields[field]
    if (value !== undefined) kept[field] = value
  }
  return kept
}

/** Merges the metadata of providers key by key; the later value wins. */
export function mergeMeta(earlier: Meta | undefined, later: Meta | undefined): Meta | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier
  const merged: Record<string, JsonObject> = { ...earlier }
  for (const [provider, values] of Object.entries(later)) merged[provider] = { ...merged[provider], ...values }
  return merged
}

const NOTHING = {}

/** Fields that a protocol has no name for, under the one key that is ours; without the key if there are none. */
export function underMillrace(fields: Fields): { readonly millrace?: JsonObject } {
  let millrace: Record<string, Json> | undefined
  for (const field in fields) {
    const value = fields[field]
    if (value === undefined) continue
    millrace ??= {}
    millrace[field] = value
  }
  return millrace === undefined ? NOTHING : { millrace }
}
