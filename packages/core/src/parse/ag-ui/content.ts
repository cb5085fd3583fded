import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectsIn, textIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'

const MEDIA: { readonly [type: string]: string } = {
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  document: 'application/octet-stream',
  binary: 'application/octet-stream',
  resource: 'application/octet-stream',
}

/** The files among the parts of content, of AG-UI or of MCP; their ids begin with `owner`. */
export function fileParts(content: Json | undefined, owner: string): readonly EventOf<'file'>[] {
  const parts = isJsonObject(content) ? content.content : content
  return Array.isArray(parts) ? parts.flatMap((part: Json, index) => fileOf(part, `${owner}:file-${index}`)) : []
}

function fileOf(part: Json, fileId: string): EventOf<'file'>[] {
  const mediaType =
    isJsonObject(part) && typeof part.type === 'string' && Object.hasOwn(MEDIA, part.type)
      ? MEDIA[part.type]
      : undefined
  if (!isJsonObject(part) || mediaType === undefined) return []
  const source = [part.source, part.resource].find(isJsonObject) ?? part
  const value = textIn(source.value)
  const base64 = textIn(source.data) ?? textIn(source.blob) ?? (source.type === 'data' ? value : undefined)
  const url = textIn(source.url) ?? (source.type === 'url' ? value : undefined)
  const content = fileContent(
    { base64, url, mediaType: textIn(source.mimeType) ?? textIn(source.mime_type) },
    mediaType,
  )
  // A resource that is text is no file.
  if (part.type === 'resource' && base64 === undefined) return []
  const meta = (base64 ?? url) ? {} : { meta: { 'ag-ui': { source } } }
  return [{ type: 'file', fileId, ...content, ...present({ filename: textIn(part.filename) }), ...meta }]
}

/** The text of content, which may be a list of parts. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return objectsIn(content)
    .map(({ text }: JsonObject) => (typeof text === 'string' ? text : ''))
    .join('')
}

/** A string unchanged, any other value as JSON. */
export function textOrJson(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
