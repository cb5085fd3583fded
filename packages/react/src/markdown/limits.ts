import { listingOf } from './split.ts'

/**
 * The limits of a block that is formatted. The parser is linear in plain prose, but quadratic in emphasis marks and in
 * nested containers, and a table is padded to rows × columns. A block at any of these bounds takes less than 0.5 s
 * (decisions/0013); a block beyond them is drawn as it is written.
 */
const BLOCK = { characters: 32_000, marks: 3_000, depth: 32, cells: 20_000 } as const

/** The limits of one text. A block also has a fixed cost: its own parser. */
const TEXT = { characters: 500_000, marks: 30_000, blocks: 2_000 } as const

/** Runs of emphasis, brackets, code and raw marks: the parser looks back for a match of each. */
const INLINE_MARKS = /\*+|_+|~+|`+|[[\]<]/g
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))+/
const CONTAINER = />|[-*+]|\d{1,9}[.)]/g

interface Weight {
  readonly source: string
  readonly characters: number
  readonly marks: number
  readonly canBeFormatted: boolean
}

/**
 * Which of a text's sources are formatted, in order. It depends on the sources alone, so that a text that has grown
 * is drawn like the same text that was stored. Weights of unchanged sources are cached, because a growing text asks at
 * each delta.
 */
export function createLimiter(): (sources: readonly string[]) => readonly boolean[] {
  let weights: readonly Weight[] = []
  return (sources) => {
    weights = sources.map((source, index) => (weights[index]?.source === source ? weights[index] : weigh(source)))
    return admit(weights)
  }
}

function admit(weights: readonly Weight[]): readonly boolean[] {
  const used = { characters: 0, marks: 0, blocks: 0 }
  return weights.map(({ characters, marks, canBeFormatted }) => {
    if (!canBeFormatted) return false
    used.characters += characters
    used.marks += marks
    used.blocks++
    return used.characters <= TEXT.characters && used.marks <= TEXT.marks && used.blocks <= TEXT.blocks
  })
}

/** A listing is not parsed, so it has no weight. */
function weigh(source: string): Weight {
  if (listingOf(source) !== undefined) return { source, characters: 0, marks: 0, canBeFormatted: true }
  const characters = source.length
  if (characters > BLOCK.characters) return { source, characters, marks: 0, canBeFormatted: false }
  const { marks, depth, cells } = marksIn(source)
  const canBeFormatted = marks <= BLOCK.marks && depth <= BLOCK.depth && cells <= BLOCK.cells
  return { source, characters, marks, canBeFormatted }
}

function marksIn(source: string): { readonly marks: number; readonly depth: number; readonly cells: number } {
  const lines = source.split('\n')
  let containers = 0
  let depth = 0
  let columns = 0
  for (const line of lines) {
    const lineDepth = countOf(CONTAINERS.exec(line)?.[0] ?? '', CONTAINER)
    containers += lineDepth
    depth = Math.max(depth, lineDepth)
    columns = Math.max(columns, line.split('|').length - 1)
  }
  return { marks: containers + countOf(source, INLINE_MARKS), depth, cells: columns * lines.length }
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
