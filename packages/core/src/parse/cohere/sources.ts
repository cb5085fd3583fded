import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Message } from './message.ts'
import type { Citation, CitedSource } from './raw.ts'

/** How many sources of one message are told apart. */
const MAX_SOURCES = 8192

/** How many citations stand by one text: each patch holds all of them. */
const MAX_CITATIONS = 1024

/** Puts a citation beside the passage that it belongs to, with those before it, and shows its sources. */
export function citationEvents(message: Message, citation: Citation): StreamEvent[] {
  const { content_index: index, sources } = citation
  const isGiven = index !== undefined && message.begun.has(String(index))
  const blockId = isGiven ? `${message.messageId}:${index}` : message.lastText
  const shown = (sources ?? []).flatMap((source) => citedSource(message, source, blockId))
  if (blockId === undefined) return [...shown, { type: 'data', name: 'citation', data: citation as unknown as Json }]
  return [...cite(message, blockId, [citation as unknown as Json]), ...shown]
}

export function cite(message: Message, blockId: string, added: readonly Json[]): StreamEvent[] {
  const before = message.citations.get(blockId) ?? []
  if (before.length + added.length > MAX_CITATIONS)
    return added.map((data): StreamEvent => ({ type: 'data', name: 'citation', data }))
  const citations = [...before, ...added]
  message.citations.set(blockId, citations)
  return added.length === 0 ? [] : [{ type: 'block-patch', blockId, citations }]
}

/** Outputs of the caller's own tools are no sources to be shown: they are in the conversation already. */
function citedSource(message: Message, { id, document }: CitedSource, blockId: string | undefined): StreamEvent[] {
  return document ? documentSource(message, { ...present({ id }), ...document }, { blockId }) : []
}

/** A document that an answer rests on, once. */
export function documentSource(
  message: Message,
  document: JsonObject,
  place: { readonly blockId?: string | undefined; readonly callId?: string },
): StreamEvent[] {
  const url = wordsIn(document.url)
  const title = wordsIn(document.title)
  const snippet = wordsIn(document.snippet) ?? wordsIn(document.text)
  const key = wordsIn(document.id) ?? url ?? title
  if (key === undefined || (url ?? title ?? snippet) === undefined) return []
  if (message.told.has(key) || message.told.size === MAX_SOURCES) return []
  message.told.add(key)
  const sourceId = `${message.messageId}:${key}`
  const kind = url === undefined ? 'document' : 'url'
  return [{ type: 'source', sourceId, kind, ...present({ url, title, snippet, ...place }) }]
}

function wordsIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
