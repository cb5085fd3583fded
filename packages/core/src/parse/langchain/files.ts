import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { objectOf, wordOf } from './message.ts'

export type FileFields = Omit<EventOf<'file'>, 'type' | 'fileId'>

/** The largest file, in base64, that an event carries in itself. */
const MAX_BYTES = 64 * 1024

const DEFAULT_TYPES: { readonly [type: string]: string } = {
  image: 'image/*',
  image_url: 'image/*',
  input_image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
}

/** The file that a block of an image, sound, video or document holds or names. */
export function fileOf(block: JsonObject): FileFields | undefined {
  const source = isJsonObject(block.source) ? block.source : block
  const mediaType =
    wordOf(block.mime_type) ?? wordOf(block.mimeType) ?? wordOf(source.media_type) ?? DEFAULT_TYPES[String(block.type)]
  const filename = wordOf(block.filename) ?? wordOf(block.name) ?? wordOf(block.title)
  const given = urlOf(block) ?? wordOf(source.url)
  const held = wordOf(block.base64) ?? wordOf(source.data)
  const inUrl = given === undefined ? undefined : /^data:([^;,]+);base64,(.*)$/s.exec(given)
  const bytes = inUrl?.[2] ?? held
  const url = inUrl === null ? given : undefined
  if (bytes === undefined && url === undefined && wordOf(block.file_id) === undefined) return undefined
  return {
    mediaType: inUrl?.[1] ?? mediaType ?? 'application/octet-stream',
    ...present({ filename, url: url ?? largeUrl(bytes, inUrl?.[1] ?? mediaType) }),
    ...(bytes !== undefined && bytes.length <= MAX_BYTES && { bytes }),
    ...(wordOf(block.file_id) !== undefined && { meta: { langchain: { file_id: String(block.file_id) } } }),
  }
}

/** What is too large to be carried as bytes stays in its address, so that nothing of it is lost. */
function largeUrl(bytes: string | undefined, mediaType: string | undefined): string | undefined {
  if (bytes === undefined || bytes.length <= MAX_BYTES) return undefined
  return `data:${mediaType ?? 'application/octet-stream'};base64,${bytes}`
}

function urlOf(block: JsonObject): string | undefined {
  const address = block.image_url ?? block.url ?? block.file_uri
  return wordOf(address) ?? wordOf(objectOf(address).url)
}
