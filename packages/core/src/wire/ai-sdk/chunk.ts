import type { Common, Meta } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'
import { chunkOf, defined, type Fields, underMillrace, withDefined } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'

/**
 * Two levels, as the client requires: provider → key → value. Our fields stand under `millrace`, beside those of the
 * provider. Later metadata replaces earlier metadata as a whole, so each must be complete.
 */
export function providerMetadata(extra: Fields, meta: Meta | undefined): JsonObject | undefined {
  if (meta === undefined) {
    const ours = underMillrace(extra)
    return ours.millrace === undefined ? undefined : (ours as JsonObject)
  }
  const millrace = withDefined({ ...meta.millrace }, extra)
  return Object.keys(millrace).length === 0 ? meta : { ...meta, millrace }
}

/** A data part about an event. A later part with the same name and id replaces it in place. */
export function dataPart(name: string, id: string | undefined, fields: Fields, { agentId, meta }: Common): Chunk {
  return chunkOf(`data-${name}`, { id, data: defined({ ...fields, agentId, meta }) })
}

type UnknownFields = { readonly [field: string]: unknown }

const isObject = (value: unknown): value is UnknownFields => typeof value === 'object' && value !== null
const isText = (value: unknown): boolean => typeof value === 'string'
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value)
const isOptionalIndex = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)

const sources: { readonly [sourceType: string]: (source: UnknownFields) => boolean } = {
  url: ({ url, title }) => isText(url) && isOptionalText(title),
  document: ({ mediaType, title, filename }) => isText(mediaType) && isText(title) && isOptionalText(filename),
}

/** Whether a citation has exactly the shape that the client checks for. Any other shape would end the stream. */
export function isCitation(citation: Json): boolean {
  if (!isObject(citation) || !isObject(citation.source)) return false
  const { source, startIndex, endIndex, citedText } = citation
  const { type, sourceType, id, providerMetadata } = source
  if (type !== 'source' || !isText(id) || providerMetadata !== undefined) return false
  if (!isText(sourceType) || !Object.hasOwn(sources, sourceType as string)) return false
  if (!isOptionalIndex(startIndex) || !isOptionalIndex(endIndex) || !isOptionalText(citedText)) return false
  return sources[sourceType as string]?.(source) ?? false
}
