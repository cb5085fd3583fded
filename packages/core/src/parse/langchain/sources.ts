import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { wordOf } from './message.ts'
import { placeOf, type Told } from './told.ts'

/** The source behind a citation that has an address or a title. */
export function citedSource(told: Told, blockId: string, citation: Json, place: number): StreamEvent[] {
  return sourceEvents(told, citation, `${blockId}:source-${place}`, { blockId })
}

/** The pages that a tool of the provider's found. */
export function foundSources(told: Told, callId: string, output: Json): StreamEvent[] {
  const pages = Array.isArray(output) ? output : [output]
  return pages.flatMap((page, place) =>
    isJsonObject(page) && wordOf(page.url) !== undefined
      ? sourceEvents(told, page, `${callId}:source-${place}`, { callId })
      : [],
  )
}

function sourceEvents(
  told: Told,
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
  return [{ type: 'source', sourceId, kind, ...owner, ...placeOf(told), ...present({ url, title, snippet }) }]
}
