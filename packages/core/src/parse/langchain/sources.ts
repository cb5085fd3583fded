import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type EmittedMessage, eventScopeOf } from './emitted-message.ts'
import { wordOf } from './message.ts'

/** The source of a citation that has an address or a title. */
export function citedSource(emitted: EmittedMessage, blockId: string, citation: Json, index: number): StreamEvent[] {
  return sourceEvents(emitted, citation, `${blockId}:source-${index}`, { blockId })
}

/** The pages that a tool of the provider found. */
export function foundSources(emitted: EmittedMessage, callId: string, output: Json): StreamEvent[] {
  const pages = Array.isArray(output) ? output : [output]
  return pages.flatMap((page, index) =>
    isJsonObject(page) && wordOf(page.url) !== undefined
      ? sourceEvents(emitted, page, `${callId}:source-${index}`, { callId })
      : [],
  )
}

function sourceEvents(
  emitted: EmittedMessage,
  value: Json,
  sourceId: string,
  owner: { readonly blockId: string } | { readonly callId: string },
): StreamEvent[] {
  if (!isJsonObject(value)) return []
  const url = wordOf(value.url)
  const title = wordOf(value.title) ?? wordOf(value.document_title) ?? wordOf(value.filename)
  if (url === undefined && title === undefined) return []
  const snippet = wordOf(value.cited_text) ?? wordOf(value.snippet)
  const kind = url === undefined ? 'document' : 'url'
  return [{ type: 'source', sourceId, kind, ...owner, ...eventScopeOf(emitted), ...present({ url, title, snippet }) }]
}
