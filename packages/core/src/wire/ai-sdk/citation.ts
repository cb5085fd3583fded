import type { Json } from '../../json.ts'

type Fields = { readonly [field: string]: unknown }

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isText = (value: unknown): boolean => typeof value === 'string'
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value)
const isOptionalIndex = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)

const sources: { readonly [sourceType: string]: (source: Fields) => boolean } = {
  url: ({ url, title }) => isText(url) && isOptionalText(title),
  document: ({ mediaType, title, filename }) => isText(mediaType) && isText(title) && isOptionalText(filename),
}

/** Whether a citation has the very shape that the client checks for: one that has not would end the stream. */
export function isCitation(citation: Json): boolean {
  if (!isObject(citation) || !isObject(citation.source)) return false
  const { source, startIndex, endIndex, citedText } = citation
  const { type, sourceType, id, providerMetadata } = source
  if (type !== 'source' || !isText(id) || providerMetadata !== undefined) return false
  if (!isText(sourceType) || !Object.hasOwn(sources, sourceType as string)) return false
  if (!isOptionalIndex(startIndex) || !isOptionalIndex(endIndex) || !isOptionalText(citedText)) return false
  return sources[sourceType as string]?.(source) ?? false
}
