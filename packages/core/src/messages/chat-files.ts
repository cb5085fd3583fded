import { concreteType } from '../data/image-type.ts'
import type { ChatMedia, ChatText } from './chat-types.ts'
import { type AnyFile, contentOf, type FileContent, fileText, isTextType, referenceTo, textIn } from './files.ts'
import type { FileReference } from './request.ts'

const AUDIO: { readonly [mediaType: string]: 'wav' | 'mp3' } = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
}

const takes = (mediaType: string) =>
  mediaType.startsWith('image/') || mediaType in AUDIO || mediaType === 'application/pdf' || isTextType(mediaType)

/** A file in a message of the user: its part, a reference if its bytes are elsewhere, or a line of text. */
export function chatFile(file: AnyFile, onRefused: () => void): ChatText | ChatMedia | FileReference {
  const content = contentOf(file)
  const part = content === undefined ? undefined : chatPart(content, file)
  if (part !== undefined) return part
  if (content === undefined && takes(file.mediaType)) return referenceTo(file)
  onRefused()
  return { type: 'text', text: fileText(file) }
}

/** The part of a file whose content is there; undefined if the service does not take it. */
export function chatPart(
  content: FileContent,
  { fileId, filename }: Pick<AnyFile, 'fileId' | 'filename'>,
): ChatText | ChatMedia | undefined {
  if (content.kind === 'url')
    return content.mediaType.startsWith('image/') ? { type: 'image_url', image_url: { url: content.url } } : undefined
  const { bytes: data } = content
  const mediaType = concreteType(content.mediaType, data)
  const url = `data:${mediaType};base64,${data}`
  const format = Object.hasOwn(AUDIO, mediaType) ? AUDIO[mediaType] : undefined
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } }
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } }
  if (mediaType === 'application/pdf') return { type: 'file', file: { file_data: url, filename: filename ?? fileId } }
  return isTextType(mediaType) ? { type: 'text', text: `[file ${filename ?? fileId}]\n\n${textIn(data)}` } : undefined
}
