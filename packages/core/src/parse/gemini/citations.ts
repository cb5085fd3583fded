import { present } from '../../data/present.ts'
import type { JsonObject } from '../../json.ts'
import type { Out } from '../kit/voice.ts'
import { utf16Offsets } from './google.ts'
import type { CitedSource, GroundingSupport, Segment } from './raw.ts'

/** The citations of one candidate's texts. They arrive after the text; each patch of a block holds them all. */
export interface Citations {
  hold(blockId: string, text: string, partIndex: number): void
  /** `sources` are those of the same chunk, by their index in its list. */
  support(out: Out, supports: readonly GroundingSupport[], sources: readonly (JsonObject | undefined)[]): void
  cite(out: Out, sources: readonly CitedSource[]): void
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

export function createCitations(): Citations {
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
    hold(blockId, text, partIndex) {
      if (texts.at(-1)?.blockId !== blockId && heldLength < MAX_HELD) texts.push({ blockId, partIndex, text: '' })
      const last = texts.at(-1)
      heldLength += text.length
      if (heldLength <= MAX_HELD && last?.blockId === blockId) last.text += text
    },
    support(out, supports, sources) {
      const cited = supports.flatMap(({ segment, groundingChunkIndices, confidenceScores }) => {
        const found = (groundingChunkIndices ?? []).flatMap((index) => sources[index] ?? [])
        return segment ? [{ segment, fields: { type: 'grounding', sources: found, confidenceScores } }] : []
      })
      add(out, cited)
    },
    cite(out, sources) {
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
