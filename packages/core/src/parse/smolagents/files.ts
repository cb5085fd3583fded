import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

type FileEvent = EventOf<'file'>

/** The largest file that an event carries inline, in characters of base64. */
const MAX_BYTES = 64 * 1024

const BASE64 = /^[A-Za-z0-9+/=\s]*$/

/** How the base64 of supported image types begins. */
const BEGINNINGS: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** Images are not JSON: a host writes them as a URL, a data URL, base64, or an object that holds one of these. */
export function imageEvents(images: readonly Json[] | null | undefined, owner: string): FileEvent[] {
  return (images ?? []).flatMap((image, index) => {
    const value = addressIn(image)
    return value === undefined ? [] : [{ ...fileOf(value), type: 'file' as const, fileId: `${owner}:image-${index}` }]
  })
}

/** An image or audio that is an answer or a tool's output: smolagents serialises the object with its path. */
export function agentFile(value: Json | undefined, fileId: string): FileEvent | undefined {
  const { _type: kind, _path: path } = (value ?? {}) as { readonly _type?: Json; readonly _path?: Json }
  if (kind !== 'AgentImage' && kind !== 'AgentAudio') return undefined
  const mediaType = kind === 'AgentImage' ? 'image/png' : 'audio/wav'
  return { type: 'file', fileId, mediaType, ...(typeof path === 'string' && { filename: path }) }
}

function addressIn(image: Json): string | undefined {
  if (typeof image === 'string') return image
  if (!isJsonObject(image)) return undefined
  const { url, image_url, image: inner, data } = image as JsonObject
  for (const candidate of [url, image_url, inner, data]) {
    const found = candidate === undefined || candidate === null ? undefined : addressIn(candidate)
    if (found !== undefined) return found
  }
  return undefined
}

function fileOf(value: string): Omit<FileEvent, 'type' | 'fileId'> {
  if (/^https?:/i.test(value)) return { mediaType: 'image/*', url: value }
  const [, declaredType, encoding, data = value] = /^data:([^;,]*)(;[^,]*)?,(.*)$/s.exec(value) ?? []
  const mediaType = declaredType || BEGINNINGS.find(([beginning]) => data.startsWith(beginning))?.[1]
  const size = data.length
  // The data of other addresses is text, not base64.
  if (declaredType !== undefined && !encoding?.endsWith(';base64') && size <= MAX_BYTES) {
    return { mediaType: declaredType || 'text/plain', url: value }
  }
  // A path, or a host's placeholder for the image.
  if (declaredType === undefined && mediaType === undefined && !BASE64.test(data.slice(0, 256))) {
    return { mediaType: 'image/*', filename: data.slice(0, 256) }
  }
  const kind = { mediaType: mediaType ?? 'application/octet-stream' }
  return size <= MAX_BYTES ? { ...kind, bytes: data } : { ...kind, meta: { millrace: { omittedCharacters: size } } }
}
