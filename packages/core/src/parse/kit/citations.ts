import { present } from '../../data/present.ts'
import type { Common } from '../../event-fields.ts'
import type { Json } from '../../json.ts'
import type { Out } from './voice.ts'

/** What a citation names. An address that is not a URL is the title of a document without one. */
export interface Cited extends Pick<Common, 'meta'> {
  readonly address?: string | null | undefined
  readonly title?: string | null | undefined
  readonly snippet?: string | null | undefined
}

/** Adds the citations of a block so far, as they came, and the sources of those from index `first` on. */
export function addCitations<Citation>(
  out: Out,
  blockId: string,
  citations: readonly Citation[],
  first: number,
  read: (citation: Citation) => Cited,
): void {
  out.push({ type: 'block-patch', blockId, citations: citations as readonly unknown[] as readonly Json[] })
  for (const [index, citation] of citations.entries())
    if (index >= first) addSource(out, blockId, index, read(citation))
}

/** Adds the source of a citation, if it has an address or a title. */
function addSource(out: Out, blockId: string, index: number, { address, title, snippet, meta }: Cited): void {
  const url = typeof address === 'string' && /^https?:/i.test(address) ? address : undefined
  const named = title ?? (url === undefined ? address : undefined)
  if (url === undefined && !named) return
  out.push({
    type: 'source',
    sourceId: `${blockId}:source-${index}`,
    kind: url === undefined ? 'document' : 'url',
    blockId,
    ...present({ url, title: named || undefined, snippet: snippet || undefined, meta }),
  })
}
