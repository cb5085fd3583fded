import { concreteType } from '../data/image-type.ts'
import { type AnyFile, contentOf, type FileContent, fileText, isTextType, referenceTo } from './files.ts'
import type { GeminiPart } from './gemini-types.ts'
import type { FileReference } from './request.ts'

const takes = (mediaType: string) =>
  /^(?:image|audio|video)\//.test(mediaType) || mediaType === 'application/pdf' || isTextType(mediaType)

/** A file in a content: its part, a reference if its bytes are elsewhere, or a line of text. */
export function geminiFile(file: AnyFile, onRefused: () => void): GeminiPart | FileReference {
  const content = contentOf(file)
  const part = content === undefined ? undefined : geminiPart(content)
  if (part !== undefined) return part
  if (content === undefined && takes(file.mediaType)) return referenceTo(file)
  onRefused()
  return { text: fileText(file) }
}

/** The part of a file whose content is there; undefined if Gemini does not take it. */
export function geminiPart(content: FileContent): GeminiPart | undefined {
  const mediaType = content.kind === 'url' ? content.mediaType : concreteType(content.mediaType, content.bytes)
  if (!takes(mediaType) || mediaType.endsWith('/*')) return undefined
  return content.kind === 'url'
    ? { fileData: { mimeType: mediaType, fileUri: content.url } }
    : { inlineData: { mimeType: mediaType, data: content.bytes } }
}
