import { completed } from './complete.ts'
import { type Footnote, resolveReferences } from './references.ts'

/** A block to draw: its text as written, and the markdown to format; without markdown the text is drawn as written. */
export interface Drawable {
  readonly text: string
  readonly source: string | undefined
}

/** `at` is the block's index in the text, which stays the same while the text grows. */
interface PlacedBlock extends Drawable {
  readonly at: number
}

export type DrawableFootnote = Footnote & Drawable

export interface TextLayout {
  readonly blocks: readonly PlacedBlock[]
  readonly footnotes: readonly DrawableFootnote[]
}

type Limiter = (sources: readonly string[]) => readonly boolean[]

/** Blocks and footnotes as they are drawn, within the limits of one text. Footnotes come last and are limited first. */
export function layOut(written: readonly string[], isLive: boolean, limit: Limiter): TextLayout {
  const { blocks, footnotes } = resolveReferences(isLive ? withCompletedTail(written) : written)
  const isFormatted = limit([...blocks, ...footnotes.map(({ text }) => text)])
  return {
    blocks: joinPlain(
      blocks.map((source, at) => ({ at, text: written[at] ?? '', source: isFormatted[at] ? source : undefined })),
    ),
    footnotes: footnotes.map((footnote, index) => ({
      ...footnote,
      source: isFormatted[blocks.length + index] ? footnote.text : undefined,
    })),
  }
}

function withCompletedTail(blocks: readonly string[]): readonly string[] {
  const tail = blocks.at(-1)
  return tail === undefined ? blocks : [...blocks.slice(0, -1), completed(tail)]
}

/** Joins adjacent blocks that are drawn as written: a text far beyond its limits does not become thousands of boxes. */
function joinPlain(blocks: readonly PlacedBlock[]): readonly PlacedBlock[] {
  const joined: PlacedBlock[] = []
  let plain: { readonly at: number; readonly parts: string[] } | undefined
  const flush = () => {
    if (plain !== undefined) joined.push({ at: plain.at, text: plain.parts.join(''), source: undefined })
    plain = undefined
  }
  for (const block of blocks) {
    if (block.source === undefined) {
      plain ??= { at: block.at, parts: [] }
      plain.parts.push(block.text)
      continue
    }
    flush()
    joined.push(block)
  }
  flush()
  return joined
}
