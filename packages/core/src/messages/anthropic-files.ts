import { concreteType } from '../data/image-type.ts'
import type { AnthropicMedia, AnthropicText } from './anthropic-types.ts'
import { type AnyFile, contentOf, type FileContent, fileText, isTextType, referenceTo, textIn } from './files.ts'
import type { FileReference } from './request.ts'

const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

const takes = (mediaType: string) =>
  IMAGES.has(mediaType) || mediaType === 'image/*' || mediaType === 'application/pdf' || isTextType(mediaType)

/** A file in a message: its block, a reference if its bytes are elsewhere, or a line of text. */
export function anthropicFile(file: AnyFile, onRefused: () => void): AnthropicText | AnthropicMedia | FileReference {
  const content = contentOf(file)
  const block = content === undefined ? undefined : anthropicBlock(content, file)
  if (block !== undefined) return block
  if (content === undefined && takes(file.mediaType)) return referenceTo(file)
  onRefused()
  return { type: 'text', text: fileText(file) }
}

/** The block of a file whose content is there; undefined if Anthropic does not take it. */
export function anthropicBlock(
  content: FileContent,
  { filename }: { readonly filename?: string },
): AnthropicMedia | undefined {
  const title = filename === undefined ? {} : { title: filename }
  if (content.kind === 'url') {
    const source = { type: 'url' as const, url: content.url }
    if (content.mediaType.startsWith('image/')) return { type: 'image', source }
    return content.mediaType === 'application/pdf' ? { type: 'document', source, ...title } : undefined
  }
  const { bytes: data } = content
  const mediaType = concreteType(content.mediaType, data)
  if (IMAGES.has(mediaType)) return { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
  if (mediaType === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, ...title }
  if (!isTextType(mediaType)) return undefined
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: textIn(data) }, ...title }
}
