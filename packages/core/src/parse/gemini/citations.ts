import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import type { HeldText } from './blocks.ts'
import { utf16Offsets } from './offsets.ts'
import type { CitedSource, GroundingSupport, Segment } from './raw.ts'

/** The citations of one candidate's texts. Each chunk may repeat earlier ones; each patch of a block holds them all. */
export interface Citations {
  /** `sources` are those of the same chunk, by their index in its list. */
  support(supports: readonly GroundingSupport[], sources: readonly (JsonObject | undefined)[]): StreamEvent[]
  cite(sources: readonly CitedSource[]): StreamEvent[]
}

interface Cited {
  readonly segment: Segment
  readonly fields: JsonObject
}

/** The most citations that are remembered, so that an endless stream does not exhaust memory. */
const MAX_CITATIONS = 8192

export function createCitations(texts: readonly HeldText[]): Citations {
  const byBlock = new Map<string, Map<string, JsonObject>>()
  let count = 0

  function add(cited: readonly Cited[]): StreamEvent[] {
    const changed = new Set<string>()
    const locations = locationsOf(texts, cited)
    for (const [index, { segment, fields }] of cited.entries()) {
      const location = locations[index]
      if (location === undefined || count >= MAX_CITATIONS) continue
      const { blockId, ...offsets } = location
      const citation = present({ ...fields, ...offsets, text: segment.text }) as JsonObject
      const citationsByKey = byBlock.get(blockId) ?? new Map<string, JsonObject>()
      byBlock.set(blockId, citationsByKey)
      const key = JSON.stringify(citation)
      if (citationsByKey.has(key)) continue
      citationsByKey.set(key, citation)
      changed.add(blockId)
      count += 1
    }
    return [...changed].map((blockId) => ({
      type: 'block-patch',
      blockId,
      citations: [...(byBlock.get(blockId)?.values() ?? [])],
    }))
  }

  return {
    support: (supports, sources) =>
      add(
        supports.flatMap(({ segment, groundingChunkIndices, confidenceScores }) => {
          if (segment === null || segment === undefined) return []
          const cited = (groundingChunkIndices ?? []).flatMap((index) => sources[index] ?? [])
          return [{ segment, fields: present({ type: 'grounding', sources: cited, confidenceScores }) as JsonObject }]
        }),
      ),
    cite: (sources) =>
      add(
        sources.map(({ startIndex, endIndex, ...fields }) => ({
          segment: { startIndex: startIndex ?? null, endIndex: endIndex ?? null },
          fields: present({ type: 'citation', ...fields }) as JsonObject,
        })),
      ),
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
    const order = mapped.toSorted((a, b) => Number(isNamed(b.held, segment)) - Number(isNamed(a.held, segment)))
    for (const { held, map } of order) {
      const [startIndex, endIndex] = [map.get(segment.startIndex ?? 0), map.get(segment.endIndex ?? 0)]
      if (startIndex === undefined || endIndex === undefined || endIndex <= startIndex) continue
      const quote = segment.text ?? undefined
      if (quote !== undefined && held.text.slice(startIndex, endIndex) !== quote) continue
      return { blockId: held.blockId, startIndex, endIndex }
    }
    return locationByText(segment.text, texts)
  })
}

function isNamed({ partIndex }: HeldText, segment: Segment): boolean {
  return partIndex === (segment.partIndex ?? 0)
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
