import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { keep } from './details.ts'
import type { Citation } from './raw.ts'

type Source = EventOf<'source'>

/** The source of a citation, if it has an address or a title. */
export function citedSource(citation: Citation, blockId: string, index: number): StreamEvent[] {
  const address = citation.url ?? citation.source
  const isUrl = typeof address === 'string' && /^https?:/i.test(address)
  const title = citation.title ?? citation.document_title ?? (isUrl ? undefined : address)
  if (!isUrl && (title === null || title === undefined)) return []
  return [
    {
      type: 'source',
      sourceId: sourceId(blockId, index),
      kind: isUrl ? 'url' : 'document',
      blockId,
      ...present({ url: isUrl ? address : undefined, title, snippet: citation.cited_text }),
      ...keep({ file_id: citation.file_id ?? undefined }),
    },
  ]
}

/** The pages that a search found or a fetch read. */
export function foundSources(content: Json | undefined, callId: string): StreamEvent[] {
  const found = (Array.isArray(content) ? content : [content]) as readonly (Page | null | undefined)[]
  return found.flatMap((page, index) =>
    typeof page?.url === 'string' ? [pageSource(page, page.url, callId, index)] : [],
  )
}

interface Page {
  readonly url?: string
  readonly title?: string | null
  readonly content?: { readonly title?: string | null; readonly source?: { readonly media_type?: string } } | null
}

function pageSource(page: Page, url: string, callId: string, index: number): Source {
  const title = page.title ?? page.content?.title
  const mediaType = page.content?.source?.media_type
  return {
    type: 'source',
    sourceId: sourceId(callId, index),
    kind: 'url',
    url,
    callId,
    ...present({ title, mediaType }),
  }
}

const sourceId = (owner: string, index: number) => `${owner}:source-${index}`
