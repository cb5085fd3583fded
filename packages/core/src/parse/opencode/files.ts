import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { FilePart } from './raw.ts'
import type { EventScope } from './sessions.ts'

/** The largest inline file, in characters of base64. A larger one is only in the raw record. */
const MAX_BYTES = 64 * 1024

const DATA_URL = /^data:[^,]*;base64,/

export function fileEvent(file: FilePart, fallbackId: string, scope: EventScope, callId?: string): StreamEvent {
  const { mime, url, filename } = file
  const head = DATA_URL.exec(url.slice(0, 256))?.[0]
  const bytes = head === undefined ? undefined : url.slice(head.length)
  return {
    ...scope,
    type: 'file',
    fileId: file.id ?? fallbackId,
    mediaType: mime,
    ...present({
      filename,
      callId,
      url: head === undefined ? url : undefined,
      bytes: bytes !== undefined && bytes.length <= MAX_BYTES ? bytes : undefined,
    }),
  }
}
