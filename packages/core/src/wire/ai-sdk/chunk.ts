import type { Common, Meta } from '../../event-fields.ts'
import type { JsonObject } from '../../json.ts'
import { chunkOf, defined, type Fields, withDefined } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'

/**
 * Two levels, as the client insists: provider → key → value. Ours stand under `millrace`, beside what the provider
 * gave. A later one replaces an earlier one whole, so each must be complete.
 */
export function providerMetadata(own: Fields, meta: Meta | undefined): JsonObject | undefined {
  const millrace = withDefined({ ...meta?.millrace }, own)
  return Object.keys(millrace).length === 0 ? meta : { ...meta, millrace }
}

/** A data part about an event: a later one of the same name and id replaces it in place. */
export function dataPart(name: string, id: string | undefined, fields: Fields, { agentId, meta }: Common): Chunk {
  return chunkOf(`data-${name}`, { id, data: defined({ ...fields, agentId, meta }) })
}
