import type { EventOf } from '../../events.ts'
import { openaiMeta } from './metadata.ts'

/** The largest file that an event carries inline, in characters of base64; a larger one stays in its raw record. */
const MAX_BYTES = 64 * 1024

/** A file from base64. If it is too large for an event, the event holds its size instead. */
export function fileOf(fileId: string, mediaType: string, base64: string, callId?: string): EventOf<'file'> {
  const fits = base64.length <= MAX_BYTES
  return {
    type: 'file',
    fileId,
    mediaType,
    ...(fits ? { bytes: base64 } : openaiMeta({ base64_length: base64.length })),
    ...(callId !== undefined && { callId }),
  }
}

const DATA_URL = /^data:([^;,]*);base64,/

/** A file at a URL, which may be a data URL. */
export function fileAt(fileId: string, mediaType: string, url: string, callId: string): EventOf<'file'> {
  const inline = DATA_URL.exec(url.slice(0, 256))
  if (inline === null) return { type: 'file', fileId, mediaType, url, callId }
  return fileOf(fileId, inline[1] || mediaType, url.slice(inline[0].length), callId)
}

/** Whether a URL holds the file itself. */
export function isInline(url: string): boolean {
  return DATA_URL.test(url.slice(0, 256))
}
