import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

type File = EventOf<'file'>

const MEDIA: { readonly [type: string]: string } = {
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  document: 'application/octet-stream',
  binary: 'application/octet-stream',
}

/** The maximum size of content within an event, in characters of base64. */
const MAX_BYTES = 64 * 1024

/** The files among the parts of content; their ids begin with `owner`. */
export function fileParts(content: Json | undefined, owner: string): readonly File[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part: Json, index) => {
    const isFile = isJsonObject(part) && typeof part.type === 'string' && Object.hasOwn(MEDIA, part.type)
    return isFile ? [fileOf(part, `${owner}:file-${index}`)] : []
  })
}

function fileOf(part: JsonObject, fileId: string): File {
  const source = isJsonObject(part.source) ? part.source : part
  const mediaType = textIn(source, 'mimeType') ?? textIn(source, 'mime_type') ?? MEDIA[String(part.type)] ?? ''
  const filename = textIn(part, 'filename')
  const file = { type: 'file' as const, fileId, mediaType, ...(filename !== undefined && { filename }) }
  const data = textIn(source, 'data') ?? (source.type === 'data' ? textIn(source, 'value') : undefined)
  if (data !== undefined) {
    return data.length <= MAX_BYTES ? { ...file, bytes: data } : { ...file, url: `data:${mediaType};base64,${data}` }
  }
  const url = textIn(source, 'url') ?? (source.type === 'url' ? textIn(source, 'value') : undefined)
  if (url !== undefined) return { ...file, url }
  return { ...file, meta: { 'ag-ui': { source } } }
}

function textIn(fields: JsonObject, field: string): string | undefined {
  const value = fields[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}
