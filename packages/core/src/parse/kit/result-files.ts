import { present } from '../../data/present.ts'
import type { Common } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from './fields.ts'
import { fileContent, type SentFile } from './file.ts'

/**
 * The files in the content of a tool's result, as MCP spells them (`{type: 'image', data}`, `{type: 'resource',
 * resource: {blob}}`) or Anthropic (`{type: 'image', source}`). The output of the call keeps the content as it came;
 * texts and links are no files. The content is a list, or an object that holds one.
 */
export function resultFiles(content: unknown, callId: string, scope: Common = {}): EventOf<'file'>[] {
  return objectsIn(isJsonObject(content) ? content.content : content).flatMap((part, index) => {
    const sent = sentFile(part)
    if (sent.base64 === undefined && sent.url === undefined) return []
    const isNamed = part.type === 'image' || part.type === 'audio'
    const file = fileContent(sent, isNamed ? `${part.type}/*` : 'application/octet-stream')
    return [{ type: 'file', fileId: `${callId}:file-${index}`, callId, ...present(scope), ...file }]
  })
}

function sentFile({ type, data, mimeType, source, resource }: JsonObject): SentFile {
  if (type === 'resource') {
    const { blob, uri, mimeType: mediaType } = objectIn(resource)
    return textIn(blob) === undefined ? {} : { base64: textIn(blob), url: textIn(uri), mediaType: textIn(mediaType) }
  }
  if (type !== 'image' && type !== 'audio' && type !== 'document') return {}
  if (!isJsonObject(source)) return { base64: textIn(data), mediaType: textIn(mimeType) }
  const base64 = source.type === 'base64' ? textIn(source.data) : undefined
  return { base64, url: textIn(source.url), mediaType: textIn(source.media_type) }
}
