import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { objectOf, wordOf } from './message.ts'

export type FileFields = Omit<EventOf<'file'>, 'type' | 'fileId'>

/** The most base64 characters that an event carries as bytes. */
const MAX_BYTES = 64 * 1024

const DEFAULT_TYPES: { readonly [type: string]: string } = {
  image: 'image/*',
  image_url: 'image/*',
  input_image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
}

/** The file that an image, audio, video or document block holds or names. */
export function fileOf(block: JsonObject): FileFields | undefined {
  const source = isJsonObject(block.source) ? block.source : block
  const declaredType =
    wordOf(block.mime_type) ?? wordOf(block.mimeType) ?? wordOf(source.media_type) ?? DEFAULT_TYPES[String(block.type)]
  const filename = wordOf(block.filename) ?? wordOf(block.name) ?? wordOf(block.title)
  const address = urlOf(block) ?? wordOf(source.url)
  const base64 = wordOf(block.base64) ?? wordOf(source.data)
  const inUrl = address === undefined ? undefined : /^data:([^;,]+);base64,(.*)$/s.exec(address)
  const bytes = inUrl?.[2] ?? base64
  const url = inUrl === null ? address : undefined
  const mediaType = inUrl?.[1] ?? declaredType ?? 'application/octet-stream'
  if (bytes === undefined && url === undefined && wordOf(block.file_id) === undefined) return undefined
  return {
    mediaType,
    ...present({ filename, url: url ?? largeUrl(bytes, mediaType) }),
    ...(bytes !== undefined && bytes.length <= MAX_BYTES && { bytes }),
    ...(wordOf(block.file_id) !== undefined && { meta: { langchain: { file_id: String(block.file_id) } } }),
  }
}

/** A file that is too large for `bytes` is kept in a data URL, so that nothing is lost. */
function largeUrl(bytes: string | undefined, mediaType: string): string | undefined {
  if (bytes === undefined || bytes.length <= MAX_BYTES) return undefined
  return `data:${mediaType};base64,${bytes}`
}

function urlOf(block: JsonObject): string | undefined {
  const address = block.image_url ?? block.url ?? block.file_uri
  return wordOf(address) ?? wordOf(objectOf(address).url)
}
