import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from './meta.ts'
import type { FileData, InlineData } from './raw.ts'

/** The most base64 that an event carries; of a larger file it tells the size, and the raw record holds it. */
const MAX_BYTES = 64 * 1024

interface Beside {
  readonly messageId: string
  readonly callId?: string
  /** A draft of the model's, or what signs the part. */
  readonly kept?: { readonly [field: string]: unknown }
}

export function inlineFile(inline: InlineData, fileId: string, beside: Beside): StreamEvent {
  const data = inline.data ?? ''
  const isSmall = data.length <= MAX_BYTES
  return fileEvent(fileId, inline.mimeType, beside, {
    filename: inline.displayName,
    bytes: isSmall ? data : undefined,
    size: isSmall ? undefined : Math.floor((data.length * 3) / 4),
  })
}

export function linkedFile(linked: FileData, fileId: string, beside: Beside): StreamEvent {
  return fileEvent(fileId, linked.mimeType, beside, { filename: linked.displayName, url: linked.fileUri })
}

interface Content {
  readonly filename: string | null | undefined
  readonly bytes?: string | undefined
  readonly url?: string | null | undefined
  readonly size?: number | undefined
}

function fileEvent(
  fileId: string,
  mediaType: string | null | undefined,
  { messageId, callId, kept = {} }: Beside,
  { size, ...content }: Content,
): StreamEvent {
  return {
    type: 'file',
    fileId,
    messageId,
    mediaType: mediaType ?? 'application/octet-stream',
    ...present({ ...content, callId }),
    ...keep({ size, ...kept }),
  }
}
