import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type Fields, objectsIn, textIn } from './raw.ts'
import type { Out, Speaker } from './speaker.ts'

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
export function addSource(speaker: Speaker, found: FoundSource, out: Out): void {
  const url = textIn(found.url)
  const title = textIn(found.title)
  const key = url ?? title
  if (key === undefined || speaker.seen.has(key) || speaker.seen.size >= MAX_SOURCES) return
  const source: EventOf<'source'> = {
    type: 'source',
    sourceId: `${speaker.messageId}:source-${speaker.sources}`,
    kind: url === undefined ? 'document' : 'url',
    messageId: speaker.messageId,
    ...present({ url, title, snippet: textIn(found.snippet), callId: found.callId }),
  }
  speaker.seen.add(key)
  speaker.sources += 1
  out.push(source)
}

/** Adds citations to the text that they belong to, together with the earlier ones. */
export function addCitations(speaker: Speaker, added: readonly Json[], out: Out): void {
  const { lastText: blockId, citations, messageId } = speaker
  if (added.length === 0) return
  if (blockId === undefined || citations.length + added.length > MAX_CITATIONS) {
    for (const data of added) out.push({ type: 'data', name: 'citation', data, messageId })
    return
  }
  citations.push(...added)
  out.push({ type: 'block-patch', blockId, citations: citations.slice() })
}

/** Annotations of the message: cited pages, cited files, and parsed files. */
export function readAnnotations(speaker: Speaker, annotations: unknown, out: Out): void {
  const added: Json[] = []
  for (const annotation of objectsIn(annotations)) {
    const key = JSON.stringify(annotation)
    if (speaker.seen.has(key)) continue
    if (isJsonObject(annotation.url_citation)) addCited(speaker, annotation.url_citation, out)
    else if (isJsonObject(annotation.file_citation)) addCited(speaker, annotation.file_citation, out)
    else if (textIn(annotation.url) !== undefined) addCited(speaker, annotation, out)
    if (speaker.seen.size < MAX_SOURCES) speaker.seen.add(key)
    added.push(annotation as unknown as Json)
  }
  addCitations(speaker, added, out)
}

function addCited(speaker: Speaker, cited: Fields, out: Out): void {
  addSource(speaker, { url: cited.url, title: cited.title ?? cited.filename, snippet: cited.content }, out)
}

/** A vendor's search results for the whole response: results with titles first, then bare URLs. */
export function readSearchResults(speaker: Speaker, results: unknown, addresses: unknown, out: Out): void {
  for (const { url, title, snippet, content } of objectsIn(results))
    addSource(speaker, { url, title, snippet: snippet ?? content }, out)
  if (!Array.isArray(addresses)) return
  for (const address of addresses) {
    if (isJsonObject(address)) addSource(speaker, address, out)
    else addSource(speaker, { url: address }, out)
  }
}
