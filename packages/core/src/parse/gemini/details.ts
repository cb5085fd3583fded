import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { keep, metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { createCitations } from './citations.ts'
import { createChangedFields } from './google.ts'
import type {
  Candidate,
  CitationMetadata,
  Found,
  GroundingChunk,
  GroundingMetadata,
  UrlContextMetadata,
} from './raw.ts'

/** What a candidate has beside its content. Each chunk may repeat it. */
export interface Details {
  /** Holds a text that may be cited. `partIndex` is the index of its part in the assembled content. */
  hold(blockId: string, text: string, partIndex: number): void
  read(out: Out, candidate: Candidate): void
}

export function createDetails(messageId: string, prefix: string, mint: (kind: string) => string): Details {
  const citations = createCitations()
  const changedFields = createChangedFields(['content', 'index', 'finishReason'])
  const sourceIds = new Map<string, string>()

  function addData(out: Out, name: string, data: unknown): void {
    out.push({ type: 'data', name, id: `${prefix}:${name}`, messageId, data: data as Json })
  }

  /** Adds the sources that are new. Returns for each source the reference that citations use. */
  function addSources(out: Out, chunks: readonly GroundingChunk[]): readonly (JsonObject | undefined)[] {
    return chunks.map((chunk) => {
      const source = sourceOf(chunk)
      if (source === undefined) return undefined
      const { url, title, snippet } = source
      const key = JSON.stringify([url, title, snippet])
      const existingId = sourceIds.get(key)
      const sourceId = existingId ?? remember(sourceIds, key, mint('source'))
      if (existingId === undefined) out.push({ type: 'source', sourceId, messageId, ...source })
      return present({ sourceId, url, title }) as JsonObject
    })
  }

  function addPages(out: Out, pages: readonly Found[]): void {
    addSources(
      out,
      pages.filter(({ uri }) => uri).map(({ uri, title }) => ({ web: { uri, title } }) as GroundingChunk),
    )
  }

  const rows: { readonly [field: string]: (out: Out, value: never) => void } = {
    groundingMetadata(out, found: GroundingMetadata) {
      if (Object.keys(found).length === 0) return
      const references = addSources(out, found.groundingChunks ?? [])
      citations.support(out, found.groundingSupports ?? [], references)
      addData(out, 'grounding', found)
    },
    citationMetadata(out, found: CitationMetadata) {
      const cited = found.citations ?? found.citationSources ?? []
      addPages(out, cited)
      citations.cite(out, cited)
    },
    urlContextMetadata(out, found: UrlContextMetadata) {
      const read = (found.urlMetadata ?? []).filter(({ urlRetrievalStatus }) => !urlRetrievalStatus?.endsWith('ERROR'))
      addPages(
        out,
        read.map(({ retrievedUrl }) => ({ uri: retrievedUrl ?? null })),
      )
      addData(out, 'url-context', found)
    },
    safetyRatings: (out, ratings: Json) => addData(out, 'safety-ratings', ratings),
    logprobsResult: (out, data: Json) => out.push({ type: 'data', name: 'logprobs', messageId, data, transient: true }),
  }

  return {
    hold: citations.hold,
    read(out, candidate) {
      const otherFields: Record<string, Json> = {}
      for (const [field, value] of Object.entries(changedFields(candidate))) {
        const row = Object.hasOwn(rows, field) ? rows[field] : undefined
        if (row === undefined) otherFields[field] = value
        else row(out, value as never)
      }
      out.push(...metadata(otherFields))
    },
  }
}

type Source = Pick<EventOf<'source'>, 'kind' | 'url' | 'title' | 'snippet' | 'mediaType' | 'meta'>

/** A chunk has one field, named after its origin: `web`, `retrievedContext`, `maps`, `image`. */
function sourceOf(chunk: GroundingChunk): Source | undefined {
  const [origin, found] = Object.entries(chunk).find(([, value]) => typeof value === 'object' && value !== null) ?? []
  if (origin === undefined || found === null || found === undefined) return undefined
  const { uri, sourceUri, title, documentName, text, mimeType, ...otherFields } = found
  const url = uri ?? sourceUri
  const isPage = origin !== 'retrievedContext' && typeof url === 'string'
  return {
    kind: isPage ? 'url' : 'document',
    ...present({ url, title: title ?? documentName, snippet: text, mediaType: mimeType }),
    ...keep('google', { ...otherFields, found: origin }),
  }
}
