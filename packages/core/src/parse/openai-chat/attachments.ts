import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'
import { keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { addText, type Speaker } from './speaker.ts'

/** The maximum number of sources and annotations of one message that are compared. */
const MAX_SOURCES = 8192

/** The maximum number of citations of a text: each patch holds all of them. */
const MAX_CITATIONS = 1024

interface FoundSource {
  readonly url?: unknown
  readonly title?: unknown
  readonly snippet?: unknown
  readonly callId?: string
}

/** Adds a source with a URL or a title, once: some vendors repeat all of them with every chunk. */
export function addSource(out: Out, speaker: Speaker, found: FoundSource): void {
  const { messageId, seen } = speaker
  const url = textIn(found.url)
  const title = textIn(found.title)
  const key = url ?? title
  if (key === undefined || seen.has(key) || seen.size >= MAX_SOURCES) return
  out.push({
    type: 'source',
    sourceId: `${messageId}:source-${speaker.sources}`,
    kind: url === undefined ? 'document' : 'url',
    messageId,
    ...present({ url, title, snippet: textIn(found.snippet), callId: found.callId }),
  })
  seen.add(key)
  speaker.sources += 1
}

/** Adds citations to the text that they belong to, together with the earlier ones. */
export function addCitations(out: Out, speaker: Speaker, added: readonly Json[]): void {
  const { voice, citations, messageId } = speaker
  const blockId = voice.lastOf('text')
  if (added.length === 0) return
  if (blockId === undefined || citations.length + added.length > MAX_CITATIONS) {
    for (const data of added) out.push({ type: 'data', name: 'citation', data, messageId })
    return
  }
  citations.push(...added)
  out.push({ type: 'block-patch', blockId, citations: citations.slice() })
}

/** Annotations of the message: cited pages, cited files, and parsed files. */
export function readAnnotations(out: Out, speaker: Speaker, annotations: unknown): void {
  const added: Json[] = []
  for (const annotation of objectsIn(annotations)) {
    const key = JSON.stringify(annotation)
    if (speaker.seen.has(key)) continue
    const nested = [annotation.url_citation, annotation.file_citation].find(isJsonObject)
    const { url, title, filename, content } = nested ?? (textIn(annotation.url) === undefined ? {} : annotation)
    addSource(out, speaker, { url, title: title ?? filename, snippet: content })
    if (speaker.seen.size < MAX_SOURCES) speaker.seen.add(key)
    added.push(annotation)
  }
  addCitations(out, speaker, added)
}

/** A vendor's search results for the whole response: results with titles first, then bare URLs. */
export function readSearchResults(out: Out, speaker: Speaker, results: unknown, addresses: unknown): void {
  for (const { url, title, snippet, content } of objectsIn(results))
    addSource(out, speaker, { url, title, snippet: snippet ?? content })
  if (!Array.isArray(addresses)) return
  for (const address of addresses) addSource(out, speaker, isJsonObject(address) ? address : { url: address })
}

/** Images that the model generated; a vendor may repeat them in its last chunk. */
export function readImages(out: Out, speaker: Speaker, images: unknown): void {
  for (const image of objectsIn(images)) addFile(out, speaker, image.image_url ?? image.url, 'image/*')
}

/** Adds a file from a URL, which may be a data URL. */
export function addFile(out: Out, speaker: Speaker, address: unknown, mediaType: string): void {
  const url = textIn(isJsonObject(address) ? address.url : address)
  if (url === undefined) return
  const key = `file ${url.length} ${url.slice(0, 64)} ${url.slice(-64)}`
  if (speaker.seen.has(key)) return
  speaker.seen.add(key)
  pushFile(out, speaker, fileContent({ url }, mediaType))
}

function pushFile(out: Out, speaker: Speaker, file: Omit<EventOf<'file'>, 'type' | 'fileId' | 'messageId'>): void {
  const { messageId } = speaker
  out.push({ type: 'file', fileId: `${messageId}:file-${speaker.files}`, messageId, ...file })
  speaker.files += 1
}

/** Speech: its transcript is text. Its audio arrives in many fragments, none of which is a file by itself. */
export function readAudio(out: Out, speaker: Speaker, value: unknown): void {
  const { expires_at, data, transcript, id: givenId } = objectIn(value)
  const id = textIn(givenId) ?? speaker.audio
  const bytes = textIn(data)
  const isWhole = bytes !== undefined && expires_at !== undefined
  if (id !== undefined && speaker.audio === undefined) {
    speaker.audio = id
    const meta = keep('openai', { audio_id: id, expires_at })
    pushFile(out, speaker, { mediaType: 'audio/*', ...(isWhole && { bytes }), ...meta })
  }
  addText(out, speaker, 'text', textIn(transcript) ?? '')
  if (bytes === undefined || isWhole) return
  const { messageId } = speaker
  out.push({ type: 'data', name: 'audio', data: bytes, transient: true, messageId, ...present({ id }) })
}
