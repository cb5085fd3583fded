import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { EventScope } from '../parser.ts'
import type { Content } from './raw.ts'

/** In characters of base64. Larger content is only in the raw record. */
const MAX_BYTES = 64 * 1024

/** Whether the content is of a supported kind. */
export function isContent(content: Content): boolean {
  if (content.type === 'text') return typeof content.text === 'string'
  return KINDS.has(content.type)
}

const KINDS: ReadonlySet<string> = new Set<Content['type']>(['image', 'audio', 'resource_link', 'resource'])

export function textOf(contents: readonly Content[]): string {
  return contents.map((content) => (content.type === 'text' ? content.text : '')).join('')
}

export function mediaOf(contents: readonly Content[]): readonly Content[] {
  return contents.filter(({ type }) => type !== 'text')
}

/** The events of content other than text. */
export function mediaEvents(content: Content, id: string, scope: EventScope, callId?: string): StreamEvent[] {
  const owner = present({ callId })
  if (content.type === 'image' || content.type === 'audio') {
    const { data, mimeType, uri } = content
    return [{ ...scope, ...owner, ...fileOf(id, mimeType, data), ...present({ url: uri }) }]
  }
  if (content.type === 'resource_link') {
    const { uri: url, name, title, mimeType, description } = content
    const fields = present({ title: title ?? name, mediaType: mimeType, snippet: description })
    return [{ ...scope, ...owner, type: 'source', sourceId: id, kind: kindOf(url), url, ...fields }]
  }
  if (content.type !== 'resource') return []
  const { uri: url, mimeType, text, blob } = content.resource
  if (blob !== undefined) {
    return [{ ...scope, ...owner, ...fileOf(id, mimeType ?? 'application/octet-stream', blob), url }]
  }
  const fields = present({ mediaType: mimeType, snippet: text })
  return [{ ...scope, ...owner, type: 'source', sourceId: id, kind: kindOf(url), url, ...fields }]
}

const kindOf = (uri: string) => (/^https?:/i.test(uri) ? 'url' : 'file')

function fileOf(fileId: string, mediaType: string, data: string | null | undefined) {
  const bytes = data && data.length <= MAX_BYTES ? data : undefined
  return { type: 'file' as const, fileId, mediaType, ...present({ bytes }) }
}
