import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

type FileEvent = EventOf<'file'>

/** The most base64 that an event may hold. */
const MAX_BYTES = 64 * 1024

const BASE64 = /^[A-Za-z0-9+/=\s]*$/

/** How the base64 of known kinds begins. */
const BEGINNINGS: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** Images are no JSON: a host writes them as an address, a data address, base64, or an object that holds one of them. */
export function imageEvents(images: readonly Json[] | null | undefined, owner: string): FileEvent[] {
  return (images ?? []).flatMap((image, index) => {
    const value = addressIn(image)
    return value === undefined ? [] : [{ ...fileOf(value), type: 'file' as const, fileId: `${owner}:image-${index}` }]
  })
}

/** What smolagents makes of an image or a sound that is an answer or a tool's output: the object that held its path. */
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
  const [, named, data = value] = /^data:([^;,]*)(?:;[^,]*)?,(.*)$/s.exec(value) ?? []
  const mediaType = named || BEGINNINGS.find(([beginning]) => data.startsWith(beginning))?.[1]
  const size = data.length
  // A path, or what a host wrote for lack of anything better.
  if (named === undefined && mediaType === undefined && !BASE64.test(data.slice(0, 256))) {
    return { mediaType: 'image/*', filename: data.slice(0, 256) }
  }
  const kind = { mediaType: mediaType ?? 'application/octet-stream' }
  return size <= MAX_BYTES ? { ...kind, bytes: data } : { ...kind, meta: { millrace: { omittedCharacters: size } } }
}
