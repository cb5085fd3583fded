import { concreteType } from '../data/image-type.ts'
import { type AnyFile, contentOf, type FileContent, fileText, isTextType, referenceTo, textIn } from './files.ts'
import type { FileReference } from './request.ts'
import type { ResponsesMedia } from './responses-types.ts'

const takes = (mediaType: string) =>
  mediaType.startsWith('image/') || mediaType === 'application/pdf' || isTextType(mediaType)

/** A file in a message or an output: its part, a reference if its bytes are elsewhere, or a line of text. */
export function responsesFile(file: AnyFile, onRefused: () => void): ResponsesMedia | FileReference {
  const content = contentOf(file)
  const part = content === undefined ? undefined : responsesPart(content, file)
  if (part !== undefined) return part
  if (content === undefined && takes(file.mediaType)) return referenceTo(file)
  onRefused()
  return { type: 'input_text', text: fileText(file) }
}

/** The part of a file whose content is there; undefined if the API does not take it. */
export function responsesPart(
  content: FileContent,
  { fileId, filename = fileId }: Pick<AnyFile, 'fileId' | 'filename'>,
): ResponsesMedia | undefined {
  if (content.kind === 'url') {
    if (content.mediaType.startsWith('image/')) return { type: 'input_image', image_url: content.url, detail: 'auto' }
    return content.mediaType === 'application/pdf' ? { type: 'input_file', file_url: content.url } : undefined
  }
  const { bytes } = content
  const mediaType = concreteType(content.mediaType, bytes)
  const url = `data:${mediaType};base64,${bytes}`
  if (mediaType.startsWith('image/')) return { type: 'input_image', image_url: url, detail: 'auto' }
  if (mediaType === 'application/pdf') return { type: 'input_file', filename, file_data: url }
  return isTextType(mediaType) ? { type: 'input_text', text: `[file ${filename}]\n\n${textIn(bytes)}` } : undefined
}
