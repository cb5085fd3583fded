import type { EventOf } from '../../events.ts'
import { openaiMeta } from './metadata.ts'

/** The largest file that travels inside an event, in characters of base64; a larger one stays in its raw record. */
const MAX_BYTES = 64 * 1024

/** A file whose bytes came as base64. One that is too large to travel says how large it is. */
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

/** A file at an address, which may hold the file itself. */
export function fileAt(fileId: string, mediaType: string, url: string, callId: string): EventOf<'file'> {
  const inline = DATA_URL.exec(url.slice(0, 256))
  if (inline === null) return { type: 'file', fileId, mediaType, url, callId }
  return fileOf(fileId, inline[1] || mediaType, url.slice(inline[0].length), callId)
}

/** Whether an address is too long to be kept beside the file that it holds. */
export function isInline(url: string): boolean {
  return DATA_URL.test(url.slice(0, 256))
}
