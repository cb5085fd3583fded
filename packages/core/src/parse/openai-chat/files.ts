import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectsIn, textIn } from './raw.ts'
import { addText, type Out, type Speaker } from './speaker.ts'

/** The largest file that an event carries inline, in characters of base64. */
const MAX_BYTES = 64 * 1024

/** Images that the model generated; a vendor may repeat them in its last chunk. */
export function readImages(speaker: Speaker, images: unknown, out: Out): void {
  for (const image of objectsIn(images)) fileOf(speaker, image.image_url ?? image.url, 'image/*', out)
}

/** A file from a URL, which may be a data URL. */
export function fileOf(speaker: Speaker, address: unknown, mediaType: string, out: Out): void {
  const url = textIn(isJsonObject(address) ? address.url : address)
  if (url === undefined) return
  const key = `file ${url.length} ${url.slice(0, 64)} ${url.slice(-64)}`
  if (speaker.seen.has(key)) return
  speaker.seen.add(key)
  const held = /^data:([^;,]*)(?:;[^;,]*)*;base64,/.exec(url.slice(0, 256))
  const bytes = held === null ? '' : url.slice(held[0].length)
  const isSmall = held !== null && bytes.length <= MAX_BYTES
  addFile(speaker, { mediaType: held?.[1] || mediaType, ...(isSmall ? { bytes } : { url }) }, out)
}

/** Speech: its transcript is text. Its audio arrives in many fragments, none of which is a file by itself. */
export function readAudio(speaker: Speaker, audio: unknown, out: Out): void {
  if (!isJsonObject(audio)) return
  const id = textIn(audio.id) ?? speaker.audio
  const bytes = textIn(audio.data)
  const isWhole = bytes !== undefined && bytes.length <= MAX_BYTES && audio.expires_at !== undefined
  if (id !== undefined && speaker.audio === undefined) {
    speaker.audio = id
    const { expires_at } = audio
    const meta = { openai: present({ audio_id: id, expires_at }) as { [key: string]: Json } }
    addFile(speaker, { mediaType: 'audio/*', ...(isWhole && { bytes }), meta }, out)
  }
  addText(speaker, 'text', undefined, textIn(audio.transcript) ?? '', out)
  if (bytes === undefined || isWhole) return
  const data = { type: 'data', name: 'audio', data: bytes, transient: true } as const
  out.push({ ...data, messageId: speaker.messageId, ...present({ id }) })
}

function addFile(speaker: Speaker, file: Omit<EventOf<'file'>, 'type' | 'fileId' | 'messageId'>, out: Out): void {
  const { messageId } = speaker
  out.push({ type: 'file', fileId: `${messageId}:file-${speaker.files}`, messageId, ...file })
  speaker.files += 1
}
