import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { openaiMeta } from './metadata.ts'
import type { Annotation } from './raw.ts'

/** The source or file that an annotation refers to; empty if it has neither a URL nor a name. */
export function annotatedSource(annotation: Annotation, blockId: string, index: number): StreamEvent[] {
  const { type, filename, file_id, container_id } = annotation
  const { url, title } = annotation.url_citation ?? annotation
  if (type === 'container_file_citation' || type === 'file_path') return producedFile(annotation)
  const sourceId = `${blockId}:source-${index}`
  if (typeof url === 'string') return [{ type: 'source', sourceId, kind: 'url', url, blockId, ...present({ title }) }]
  const name = title ?? filename ?? file_id
  if (typeof name !== 'string') return []
  const meta = openaiMeta({ file_id: file_id ?? undefined, container_id: container_id ?? undefined })
  return [{ type: 'source', sourceId, kind: 'file', title: name, blockId, ...meta }]
}

/** A file that a tool produced: only the provider holds it, under its id. */
function producedFile({ file_id, filename, container_id }: Annotation): StreamEvent[] {
  if (typeof file_id !== 'string') return []
  const meta = openaiMeta({ file_id, container_id: container_id ?? undefined })
  return [{ type: 'file', fileId: file_id, mediaType: 'application/octet-stream', ...present({ filename }), ...meta }]
}

/** A search result, with the field names of the different tools. */
interface FoundSource {
  readonly url?: string | null
  readonly title?: string | null
  readonly filename?: string | null
  readonly file_id?: string | null
  readonly text?: string | null
  readonly snippet?: string | null
  readonly attributes?: JsonObject | null
}

export function foundSources(found: Json | undefined, callId: string): StreamEvent[] {
  if (!Array.isArray(found)) return []
  return (found as readonly (FoundSource | null)[]).flatMap((one, index) => {
    const source = one === null ? undefined : foundSource(one, callId, index)
    return source === undefined ? [] : [source]
  })
}

function foundSource(found: FoundSource, callId: string, index: number): EventOf<'source'> | undefined {
  const { url, title, filename, file_id, text, snippet } = found
  const sourceId = `${callId}:source-${index}`
  if (typeof url === 'string') {
    return { type: 'source', sourceId, kind: 'url', url, callId, ...present({ title, snippet: snippet ?? text }) }
  }
  const name = title ?? filename ?? file_id
  if (typeof name !== 'string') return undefined
  const meta = openaiMeta({ file_id: file_id ?? undefined })
  return {
    type: 'source',
    sourceId,
    kind: 'file',
    title: name,
    callId,
    ...present({ snippet: text ?? snippet }),
    ...meta,
  }
}
