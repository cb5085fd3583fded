import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from '../anthropic-messages/details.ts'
import type { UserBlock } from './raw.ts'

/** In characters of base64. What is larger stays in the raw record, or in the output that it came with. */
const MAX_BYTES = 64 * 1024

/** The file of an image or document; nothing where the block is none, or is a text. */
export function fileOf(block: UserBlock, fileId: string, callId?: string): StreamEvent | undefined {
  const { type, source, title } = block
  if ((type !== 'image' && type !== 'document') || source === null || source === undefined) return undefined
  const { data, url, file_id, media_type } = source
  if (source.type === 'text' || source.type === 'content') return undefined
  if (data === undefined && url === undefined && file_id === undefined) return undefined
  const fits = data !== undefined && data.length <= MAX_BYTES
  return {
    type: 'file',
    fileId,
    mediaType: media_type ?? (type === 'image' ? 'image/*' : 'application/octet-stream'),
    ...present({ filename: title, url, bytes: fits ? data : undefined, callId }),
    ...keep({ file_id, base64_length: data === undefined || fits ? undefined : data.length }),
  }
}
