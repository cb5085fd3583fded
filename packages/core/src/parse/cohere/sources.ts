import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Message } from './message.ts'
import type { Citation, CitedSource } from './raw.ts'

/** How many sources of one message are distinguished. */
const MAX_SOURCES = 8192

/** The most citations of one text, because each patch holds all of them. */
const MAX_CITATIONS = 1024

/** Adds a citation to the block of its passage, together with the earlier ones, and emits its sources. */
export function citationEvents(message: Message, citation: Citation): StreamEvent[] {
  const { content_index: index, sources } = citation
  const hasBlock = index !== undefined && message.begunKeys.has(String(index))
  const blockId = hasBlock ? `${message.messageId}:${index}` : message.lastText
  const sourceEvents = (sources ?? []).flatMap((source) => citedSource(message, source, blockId))
  if (blockId === undefined)
    return [...sourceEvents, { type: 'data', name: 'citation', data: citation as unknown as Json }]
  return [...cite(message, blockId, [citation as unknown as Json]), ...sourceEvents]
}

export function cite(message: Message, blockId: string, newCitations: readonly Json[]): StreamEvent[] {
  const before = message.citations.get(blockId) ?? []
  if (before.length + newCitations.length > MAX_CITATIONS)
    return newCitations.map((data): StreamEvent => ({ type: 'data', name: 'citation', data }))
  const citations = [...before, ...newCitations]
  message.citations.set(blockId, citations)
  return newCitations.length === 0 ? [] : [{ type: 'block-patch', blockId, citations }]
}

/** Outputs of the caller's own tools are not emitted as sources, because the conversation already holds them. */
function citedSource(message: Message, { id, document }: CitedSource, blockId: string | undefined): StreamEvent[] {
  return document ? documentSource(message, { ...present({ id }), ...document }, { blockId }) : []
}

/** The source event of a document that the answer is based on, emitted once. */
export function documentSource(
  message: Message,
  document: JsonObject,
  scope: { readonly blockId?: string | undefined; readonly callId?: string },
): StreamEvent[] {
  const url = textIn(document.url)
  const title = textIn(document.title)
  const snippet = textIn(document.snippet) ?? textIn(document.text)
  const key = textIn(document.id) ?? url ?? title
  if (key === undefined || (url ?? title ?? snippet) === undefined) return []
  if (message.emittedIds.has(key) || message.emittedIds.size === MAX_SOURCES) return []
  message.emittedIds.add(key)
  const sourceId = `${message.messageId}:${key}`
  const kind = url === undefined ? 'document' : 'url'
  return [{ type: 'source', sourceId, kind, ...present({ url, title, snippet, ...scope }) }]
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
