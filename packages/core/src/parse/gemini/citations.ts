import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import type { HeldText } from './blocks.ts'
import { utf16Offsets } from './offsets.ts'
import type { CitedSource, GroundingSupport, Segment } from './raw.ts'

/** The citations of one candidate's texts. Each arrival may repeat what came before; a block carries them all. */
export interface Citations {
  /** `sources` are those of this arrival, by their place in its list. */
  support(supports: readonly GroundingSupport[], sources: readonly (JsonObject | undefined)[]): StreamEvent[]
  cite(sources: readonly CitedSource[]): StreamEvent[]
}

interface Cited {
  readonly segment: Segment
  readonly rest: JsonObject
}

/** How many are remembered in all: an endless stream must not grow. */
const MAX_CITATIONS = 8192

export function createCitations(texts: readonly HeldText[]): Citations {
  const byBlock = new Map<string, Map<string, JsonObject>>()
  let count = 0

  function add(cited: readonly Cited[]): StreamEvent[] {
    const changed = new Set<string>()
    const placed = placesOf(texts, cited)
    for (const [index, { segment, rest }] of cited.entries()) {
      const place = placed[index]
      if (place === undefined || count >= MAX_CITATIONS) continue
      const { blockId, ...offsets } = place
      const citation = present({ ...rest, ...offsets, text: segment.text }) as JsonObject
      const known = byBlock.get(blockId) ?? new Map<string, JsonObject>()
      byBlock.set(blockId, known)
      const key = JSON.stringify(citation)
      if (known.has(key)) continue
      known.set(key, citation)
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
          return [{ segment, rest: present({ type: 'grounding', sources: cited, confidenceScores }) as JsonObject }]
        }),
      ),
    cite: (sources) =>
      add(
        sources.map(({ startIndex, endIndex, ...rest }) => ({
          segment: { startIndex: startIndex ?? null, endIndex: endIndex ?? null },
          rest: present({ type: 'citation', ...rest }) as JsonObject,
        })),
      ),
  }
}

interface Placed {
  readonly blockId: string
  readonly startIndex?: number
  readonly endIndex?: number
}

/** Where each segment stands: in the part that it names, or wherever its own words are. */
function placesOf(texts: readonly HeldText[], cited: readonly Cited[]): readonly (Placed | undefined)[] {
  const offsets = cited.flatMap(({ segment }) => [segment.startIndex ?? 0, segment.endIndex ?? 0])
  const maps = texts.map(({ text }) => utf16Offsets(text, offsets))
  return cited.map(({ segment }) => {
    const order = texts
      .map((held, index) => ({ held, map: maps[index] ?? new Map<number, number>() }))
      .sort((a, b) => Number(isNamed(b.held, segment)) - Number(isNamed(a.held, segment)))
    for (const { held, map } of order) {
      const [startIndex, endIndex] = [map.get(segment.startIndex ?? 0), map.get(segment.endIndex ?? 0)]
      if (startIndex === undefined || endIndex === undefined) continue
      const words = segment.text ?? undefined
      if (words !== undefined && held.text.slice(startIndex, endIndex) !== words) continue
      return { blockId: held.blockId, startIndex, endIndex }
    }
    return foundBy(segment.text, texts)
  })
}

function isNamed({ partIndex }: HeldText, segment: Segment): boolean {
  return partIndex === (segment.partIndex ?? 0)
}

function foundBy(words: string | null | undefined, texts: readonly HeldText[]): Placed | undefined {
  const held = words ? texts.find(({ text }) => text.includes(words)) : undefined
  if (held === undefined || !words) {
    const last = texts.at(-1)
    return last === undefined ? undefined : { blockId: last.blockId }
  }
  const startIndex = held.text.indexOf(words)
  return { blockId: held.blockId, startIndex, endIndex: startIndex + words.length }
}
