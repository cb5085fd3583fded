import { imageTypeIn } from '../../data/image-type.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn } from '../kit/fields.ts'
import { dataUrlOf } from '../kit/file.ts'
import type { Content } from './raw.ts'

type FileEvent = EventOf<'file'>

const BASE64 = /^[A-Za-z0-9+/=\s]*$/

/** The text of a content; parts without text add nothing. */
export function textOf(content: Content): string | undefined {
  if (typeof content === 'string') return content
  return content?.map((part) => (typeof part.text === 'string' ? part.text : '')).join('')
}

/** Images are not JSON: a host writes them as a URL, a data URL, base64, or an object that holds one of these. */
export function imageEvents(images: readonly Json[] | null | undefined, owner: string): FileEvent[] {
  return (images ?? []).flatMap((image, index) => {
    const value = addressIn(image)
    return value === undefined ? [] : [{ type: 'file', fileId: `${owner}:image-${index}`, ...contentOf(value) }]
  })
}

/** An image or audio that is an answer or a tool's output: smolagents serialises the object with its path. */
export function agentFile(value: Json | undefined, fileId: string): FileEvent | undefined {
  const { _type: kind, _path: path } = objectIn(value)
  if (kind !== 'AgentImage' && kind !== 'AgentAudio') return undefined
  const mediaType = kind === 'AgentImage' ? 'image/png' : 'audio/wav'
  return { type: 'file', fileId, mediaType, ...(typeof path === 'string' && { filename: path }) }
}

function addressIn(image: Json | undefined): string | undefined {
  if (!isJsonObject(image)) return typeof image === 'string' ? image : undefined
  const { url, image_url, image: inner, data } = image
  return addressIn(url) ?? addressIn(image_url) ?? addressIn(inner) ?? addressIn(data)
}

function contentOf(value: string): Omit<FileEvent, 'type' | 'fileId'> {
  if (/^https?:/i.test(value)) return { mediaType: 'image/*', url: value }
  const inline = dataUrlOf(value)
  const bytes = inline?.bytes ?? value
  const mediaType = inline?.mediaType || imageTypeIn(bytes)
  if (inline === undefined && mediaType === undefined) {
    const head = value.slice(0, 256)
    // The data of other addresses is text, not base64.
    const declared = head.includes(',') ? /^data:([^;,]*)/i.exec(head) : null
    if (declared !== null) return { mediaType: declared[1] || 'text/plain', url: value }
    // A path, or a host's placeholder for the image.
    if (!BASE64.test(head)) return { mediaType: 'image/*', filename: head }
  }
  return { mediaType: mediaType ?? 'application/octet-stream', bytes }
}
