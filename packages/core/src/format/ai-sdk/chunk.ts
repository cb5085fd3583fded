import type { Common, Meta } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Chunk } from '../format.ts'

/** Fields of ours that may be missing. */
export type Fields = { readonly [field: string]: Json | undefined }

/** The fields that are there: to the client, optional means absent. `null` is a value. */
export function defined(fields: Fields): JsonObject {
  return copyDefined(fields, {})
}

/** A chunk, with its optional fields only where they are there. */
export function chunkOf(type: string, fields: Fields): Chunk {
  return copyDefined(fields, { type })
}

function copyDefined(fields: Fields, kept: Record<string, Json>): JsonObject {
  for (const field in fields) {
    const value = fields[field]
    if (value !== undefined) kept[field] = value
  }
  return kept
}

/**
 * Two levels, as the client insists: provider → key → value. Ours stand under `millrace`, beside what the provider
 * gave. A later one replaces an earlier one whole, so each must be complete.
 */
export function providerMetadata(own: Fields, meta: Meta | undefined): JsonObject | undefined {
  const millrace = copyDefined(own, { ...meta?.millrace })
  return Object.keys(millrace).length === 0 ? meta : { ...meta, millrace }
}

/** A data part about an event: a later one of the same name and id replaces it in place. */
export function dataPart(name: string, id: string | undefined, fields: Fields, { agentId, meta }: Common): Chunk {
  return chunkOf(`data-${name}`, { id, data: defined({ ...fields, agentId, meta }) })
}

/** Two providers' words as one; the later one wins key by key. */
export function mergeMeta(earlier: Meta | undefined, later: Meta | undefined): Meta | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier
  const merged: Record<string, JsonObject> = { ...earlier }
  for (const [provider, values] of Object.entries(later)) merged[provider] = { ...merged[provider], ...values }
  return merged
}
