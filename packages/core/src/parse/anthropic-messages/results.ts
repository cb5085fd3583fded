import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import type { Cited } from '../kit/citations.ts'
import { objectIn, objectsIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'
import type { Out } from '../kit/voice.ts'
import { indirectCaller, keep } from './details.ts'
import type { Citation, MediaBlock, ToolResult } from './raw.ts'

/** Results of the provider's own tools arrive whole. Their types differ by tool, but have the same ending. */
export function isToolResult(block: { readonly type: string }): block is ToolResult {
  return block.type.endsWith('tool_result')
}

export function readResult(out: Out, result: ToolResult): void {
  const { tool_use_id: callId, content } = result
  const error = errorOf(result)
  const status = error === undefined ? 'ok' : 'error'
  const meta = keep({ result_type: result.type, caller: indirectCaller(result.caller) })
  out.push({ type: 'tool-output', callId, status, output: content ?? '', ...present({ error }), ...meta })
  const pages = Array.isArray(content) ? content : [content]
  for (const [index, page] of pages.entries()) if (isJsonObject(page)) addPage(out, page, callId, index)
  // The files that code has written and the document that was fetched are one level deeper.
  addFiles(out, Array.isArray(content) ? content : [objectIn(content).content].flat(), callId)
}

function errorOf({ content, is_error }: ToolResult): string | undefined {
  const { type, error_code, error_message } = objectIn(content) as { readonly [field: string]: string | null }
  if (type?.endsWith('_error')) return error_message ?? error_code ?? type
  if (is_error !== true) return undefined
  if (typeof content === 'string') return content
  const texts = objectsIn(content).map(({ text }) => text ?? '')
  return texts.join('') || 'The tool failed'
}

/** The pages that a search found or a fetch read. */
function addPage(out: Out, { url, title, content }: JsonObject, callId: string, index: number): void {
  if (typeof url !== 'string') return
  const page = objectIn(content)
  const fields = { title: title ?? page.title, mediaType: objectIn(page.source).media_type } as { title?: string }
  out.push({ type: 'source', sourceId: `${callId}:source-${index}`, kind: 'url', url, callId, ...present(fields) })
}

export function citedBy({ url, source, title, document_title, cited_text, file_id }: Citation): Cited {
  return { address: url ?? source, title: title ?? document_title, snippet: cited_text, ...keep({ file_id }) }
}

/** The files in the content of a result: of executed code, and images and documents that the model is shown. */
function addFiles(out: Out, parts: readonly unknown[], callId: string): void {
  for (const [index, part] of parts.entries()) {
    const { file_id } = objectIn(part)
    const media = mediaFile(objectIn(part), `${callId}:file-${index}`, callId)
    const file = typeof file_id === 'string' ? fileEvent(file_id, callId) : media
    if (file !== undefined) out.push(file)
  }
}

/** A file that only the provider holds: it has only the provider's id. */
export function fileEvent(fileId: string, callId?: string): EventOf<'file'> {
  const meta = keep({ file_id: fileId })
  return { type: 'file', fileId, mediaType: 'application/octet-stream', ...present({ callId }), ...meta }
}

/** The file of an image or document; undefined for any other block and for text documents. */
export function mediaFile(block: MediaBlock, fileId: string, callId?: string): EventOf<'file'> | undefined {
  const { type, source, title } = block
  if ((type !== 'image' && type !== 'document') || !source || source.type === 'text' || source.type === 'content')
    return undefined
  const { data, url, file_id, media_type } = source
  if (data === undefined && url === undefined && file_id === undefined) return undefined
  const defaultType = type === 'image' ? 'image/*' : 'application/octet-stream'
  const content = fileContent({ base64: data, url, mediaType: media_type }, defaultType)
  return { type: 'file', fileId, ...content, ...present({ filename: title, callId }), ...keep({ file_id }) }
}
