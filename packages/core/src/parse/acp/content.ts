import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { fileContent } from '../kit/file.ts'
import type { Out } from '../kit/voice.ts'
import type { EventScope } from '../parser.ts'

/** A content block, as in MCP: the fields that are read. Each type has some of them. */
export interface Content extends Partial<Resource> {
  readonly type: string
  readonly data?: string | null
  readonly name?: string | null
  readonly title?: string | null
  readonly description?: string | null
  readonly resource?: Resource
}

interface Resource {
  readonly uri: string
  readonly mimeType?: string | null
  readonly text?: string
  readonly blob?: string
}

const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'resource_link', 'resource'])

/** Whether the content is of a supported kind. */
export function isContent({ type, text }: Content): boolean {
  return type === 'text' ? typeof text === 'string' : MEDIA.has(type)
}

export function textOf(contents: readonly Content[]): string {
  return contents.map(({ type, text }) => (type === 'text' ? text : '')).join('')
}

export function mediaOf(contents: readonly Content[]): readonly Content[] {
  return contents.filter(({ type }) => type !== 'text')
}

/** Adds content other than text. */
export function pushMedia(out: Out, content: Content, id: string, scope: EventScope, callId?: string): void {
  const owner = { ...scope, ...present({ callId }) }
  const { type, data, uri: url, mimeType: mediaType, title, name, description } = content
  if (type === 'image' || type === 'audio') {
    const file = fileContent({ base64: data, url, mediaType }, 'application/octet-stream')
    out.push({ ...owner, type: 'file', fileId: id, ...file })
  } else if (type === 'resource_link') {
    const fields = present({ title: title ?? name, mediaType, snippet: description })
    out.push({ ...owner, ...sourceAt(url as string, id), ...fields })
  } else if (type === 'resource') {
    const { uri, mimeType, text, blob } = content.resource as Resource
    const file = fileContent({ base64: blob, url: uri, mediaType: mimeType }, 'application/octet-stream')
    if (blob !== undefined) out.push({ ...owner, type: 'file', fileId: id, ...file })
    else out.push({ ...owner, ...sourceAt(uri, id), ...present({ mediaType: mimeType, snippet: text }) })
  }
}

function sourceAt(url: string, sourceId: string): EventOf<'source'> {
  return { type: 'source', sourceId, kind: /^https?:/i.test(url) ? 'url' : 'file', url }
}
