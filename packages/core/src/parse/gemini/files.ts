import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from './meta.ts'
import type { FileData, InlineData } from './raw.ts'

/** The most base64 characters that an event carries. A larger file has only its size; the raw record holds it. */
const MAX_BYTES = 64 * 1024

interface FileContext {
  readonly messageId: string
  readonly callId?: string
  /** Fields for meta: whether it is a draft of the model, and the part's signature. */
  readonly kept?: { readonly [field: string]: unknown }
}

export function inlineFile(inline: InlineData, fileId: string, context: FileContext): StreamEvent {
  const data = inline.data ?? ''
  const isSmall = data.length <= MAX_BYTES
  return fileEvent(fileId, inline.mimeType, context, {
    filename: inline.displayName,
    bytes: isSmall ? data : undefined,
    size: isSmall ? undefined : Math.floor((data.length * 3) / 4),
  })
}

export function linkedFile(linked: FileData, fileId: string, context: FileContext): StreamEvent {
  return fileEvent(fileId, linked.mimeType, context, { filename: linked.displayName, url: linked.fileUri })
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
  { messageId, callId, kept = {} }: FileContext,
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
