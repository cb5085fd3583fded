import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Citation } from './raw.ts'

/** The citations so far, in the provider's shape, and the sources of those from index `first` on. */
export function citationEvents(blockId: string, citations: readonly Citation[], first: number): StreamEvent[] {
  return [
    { type: 'block-patch', blockId, citations: citations as never },
    ...citations.slice(first).flatMap((citation, index) => citedSource(citation, blockId, first + index)),
  ]
}

/** The source of a citation, if it has an address or a title. */
function citedSource(citation: Citation, blockId: string, index: number): StreamEvent[] {
  const address = citation.location?.web?.url ?? citation.source
  const url = typeof address === 'string' && /^https?:/i.test(address) ? address : undefined
  const title = citation.title ?? (url === undefined ? citation.source : undefined)
  if (url === undefined && !title) return []
  const snippet = (citation.sourceContent ?? []).map(({ text }) => text ?? '').join('')
  return [
    {
      type: 'source',
      sourceId: `${blockId}:source-${index}`,
      kind: url === undefined ? 'document' : 'url',
      blockId,
      ...present({ url, title: title || undefined, snippet: snippet || undefined }),
    },
  ]
}
