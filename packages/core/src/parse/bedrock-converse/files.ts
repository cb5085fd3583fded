import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Media } from './raw.ts'

/** In characters of base64. What is larger stays in the raw record alone. */
const MAX_BYTES = 64 * 1024

/** An image that came in pieces. */
export function fileEvents(fileId: string, parts: readonly Media[], format: string | undefined): StreamEvent[] {
  const bytes = parts.map(({ source }) => source?.bytes ?? '').join('')
  const url = parts.find(({ source }) => source?.s3Location?.uri)?.source?.s3Location?.uri
  const errors = parts.flatMap(({ error }): StreamEvent[] =>
    error ? [{ type: 'error', message: error.message ?? 'An image could not be made' }] : [],
  )
  if (bytes === '' && !url) return errors
  const kind = format ?? parts.find((part) => part.format)?.format
  const file: StreamEvent = {
    type: 'file',
    fileId,
    mediaType: kind ? `image/${kind}` : 'image/*',
    ...present({ url, bytes: bytes !== '' && bytes.length <= MAX_BYTES ? bytes : undefined }),
  }
  return [file, ...errors]
}
