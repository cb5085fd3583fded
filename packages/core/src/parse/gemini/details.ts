import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { keep, metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { createChangedFields, utf16Offsets } from './google.ts'
import type {
  Candidate,
  CitationMetadata,
  CitedSource,
  Found,
  GroundingChunk,
  GroundingMetadata,
  GroundingSupport,
  Segment,
  UrlContextMetadata,
} from './raw.ts'

/** What a candidate has beside its content. Each chunk may repeat it. */
export function createDetails(messageId: string, prefix: string, mint: (kind: string) => string) {
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
    const named = pages.filter(({ uri }) => uri)
    addSources(
      out,
      named.map(({ uri, title }) => ({ web: { uri, title } }) as GroundingChunk),
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
      const pages = read.map(({ retrievedUrl }) => ({ uri: retrievedUrl ?? null }))
      addPages(out, pages)
      addData(out, 'url-context', found)
    },
    safetyRatings: (out, ratings: Json) => addData(out, 'safety-ratings', ratings),
    logprobsResult: (out, data: Json) => out.push({ type: 'data', name: 'logprobs', messageId, data, transient: true }),
  }

  return {
    hold: citations.hold,
    read(out: Out, candidate: Candidate): void {
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

interface HeldText {
  readonly blockId: string
  readonly partIndex: number
  text: string
}

interface Cited {
  readonly segment: Segment
  readonly fields: object
}

/** The most text, in characters, and the most citations that are held, so that an endless stream does not exhaust memory. */
const MAX_HELD = 4 * 1024 * 1024
const MAX_CITATIONS = 8192

/** The citations of one candidate's texts. They arrive after the text; each patch of a block holds them all. */
function createCitations() {
  const texts: HeldText[] = []
  const byBlock = new Map<string, Map<string, JsonObject>>()
  let heldLength = 0
  let count = 0

  function add(out: Out, cited: readonly Cited[]): void {
    const changed = new Map<string, Map<string, JsonObject>>()
    const locations = locationsOf(texts, cited)
    for (const [index, { segment, fields }] of cited.entries()) {
      const location = locations[index]
      if (location === undefined || count >= MAX_CITATIONS) continue
      const { blockId, ...offsets } = location
      const citation = present({ ...fields, ...offsets, text: segment.text }) as JsonObject
      const citations = byBlock.get(blockId) ?? new Map<string, JsonObject>()
      const key = JSON.stringify(citation)
      if (citations.has(key)) continue
      citations.set(key, citation)
      byBlock.set(blockId, citations)
      changed.set(blockId, citations)
      count += 1
    }
    for (const [blockId, citations] of changed)
      out.push({ type: 'block-patch', blockId, citations: [...citations.values()] })
  }

  return {
    /** Holds a text that may be cited. `partIndex` is the index of its part in the assembled content. */
    hold(blockId: string, text: string, partIndex: number): void {
      if (texts.at(-1)?.blockId !== blockId && heldLength < MAX_HELD) texts.push({ blockId, partIndex, text: '' })
      const last = texts.at(-1)
      heldLength += text.length
      if (heldLength <= MAX_HELD && last?.blockId === blockId) last.text += text
    },
    /** `sources` are those of the same chunk, by their index in its list. */
    support(out: Out, supports: readonly GroundingSupport[], sources: readonly (JsonObject | undefined)[]): void {
      const cited = supports.flatMap(({ segment, groundingChunkIndices, confidenceScores }) => {
        const found = (groundingChunkIndices ?? []).flatMap((index) => sources[index] ?? [])
        return segment ? [{ segment, fields: { type: 'grounding', sources: found, confidenceScores } }] : []
      })
      add(out, cited)
    },
    cite(out: Out, sources: readonly CitedSource[]): void {
      const cited = sources.map(({ startIndex, endIndex, ...fields }) => ({
        segment: { startIndex: startIndex ?? null, endIndex: endIndex ?? null },
        fields: { type: 'citation', ...fields },
      }))
      add(out, cited)
    },
  }
}

interface Location {
  readonly blockId: string
  readonly startIndex?: number
  readonly endIndex?: number
}

/** The location of each segment: in the part that it names, or where its text is found. */
function locationsOf(texts: readonly HeldText[], cited: readonly Cited[]): readonly (Location | undefined)[] {
  const offsets = cited.flatMap(({ segment }) => [segment.startIndex ?? 0, segment.endIndex ?? 0])
  const mapped = texts.map((held) => ({ held, map: utf16Offsets(held.text, offsets) }))
  return cited.map(({ segment }) => {
    const isNamed = ({ held }: { held: HeldText }) => Number(held.partIndex === (segment.partIndex ?? 0))
    for (const { held, map } of mapped.toSorted((a, b) => isNamed(b) - isNamed(a))) {
      const [startIndex, endIndex] = [map.get(segment.startIndex ?? 0), map.get(segment.endIndex ?? 0)]
      if (startIndex === undefined || endIndex === undefined || endIndex <= startIndex) continue
      const quote = segment.text ?? undefined
      if (quote !== undefined && held.text.slice(startIndex, endIndex) !== quote) continue
      return { blockId: held.blockId, startIndex, endIndex }
    }
    return locationByText(segment.text, texts)
  })
}

function locationByText(quote: string | null | undefined, texts: readonly HeldText[]): Location | undefined {
  const held = quote ? texts.find(({ text }) => text.includes(quote)) : undefined
  if (held === undefined || !quote) {
    const last = texts.at(-1)
    return last === undefined ? undefined : { blockId: last.blockId }
  }
  const startIndex = held.text.indexOf(quote)
  return { blockId: held.blockId, startIndex, endIndex: startIndex + quote.length }
}
