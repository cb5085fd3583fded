import type { StreamEvent } from '../../events.ts'
import { inlineFile, linkedFile } from '../gemini/files.ts'
import type { Content } from './raw.ts'

/** What content is where it does not name its media type. */
const MEDIA: { readonly [type: string]: string } = {
  image: 'image/png',
  audio: 'audio/wav',
  video: 'video/mp4',
  document: 'application/pdf',
}

/** The file that a piece of content is; nothing where it is none. */
export function mediaFile(content: Content, fileId: string, messageId: string): StreamEvent | undefined {
  const usual = Object.hasOwn(MEDIA, content.type) ? MEDIA[content.type] : undefined
  if (usual === undefined) return undefined
  const { type: _type, data, uri, mime_type, ...kept } = content
  const mimeType = mime_type ?? usual
  const beside = { messageId, kept }
  if (typeof uri === 'string') return linkedFile({ mimeType, fileUri: uri }, fileId, beside)
  return inlineFile({ mimeType, data: data ?? '' }, fileId, beside)
}
