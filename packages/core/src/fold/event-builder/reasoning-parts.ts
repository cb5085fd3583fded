/** One part of a reasoning summary, or a piece of it, as providers stream it. */
export interface ReasoningPart {
  readonly summary_index: number
  readonly text: string
  /** The part ends here. Its text may then be the last piece, or the whole part once more. */
  readonly is_complete: boolean
  readonly sequence_number: number
}

/** How the text of a reasoning segment changes: it grows at its end, or it is another one. */
export type TextChange = { readonly added: string } | { readonly whole: string }

/** The parts of one reasoning segment, whatever order they arrive in. */
export interface ReasoningParts {
  /** Nothing where the part changes nothing: it is empty, or was there already. */
  upsert(part: ReasoningPart): TextChange | undefined
}

interface KnownPart {
  readonly index: number
  text: string
  sequence: number
}

/** Parts are paragraphs. */
const BETWEEN = '\n\n'

export function createReasoningParts(): ReasoningParts {
  /** Sorted by index. */
  const parts: KnownPart[] = []

  function insert({ summary_index, text, sequence_number }: ReasoningPart): TextChange {
    const part = { index: summary_index, text, sequence: sequence_number }
    const place = parts.findIndex((other) => other.index > summary_index)
    if (place !== -1) {
      parts.splice(place, 0, part)
      return { whole: wholeOf(parts) }
    }
    parts.push(part)
    return { added: parts.length === 1 ? text : BETWEEN + text }
  }

  return {
    upsert(part) {
      if (part.text === '') return undefined
      const known = parts.find((other) => other.index === part.summary_index)
      if (known === undefined) return insert(part)
      if (part.sequence_number <= known.sequence) return undefined
      known.sequence = part.sequence_number
      const added = addedBy(part, known.text)
      if (added === '') return undefined
      known.text += added
      return known === parts.at(-1) ? { added } : { whole: wholeOf(parts) }
    },
  }
}

/** A completed part that begins with what was streamed of it repeats that; every other text follows it. */
function addedBy({ text, is_complete }: ReasoningPart, streamed: string): string {
  return is_complete && text.startsWith(streamed) ? text.slice(streamed.length) : text
}

function wholeOf(parts: readonly KnownPart[]): string {
  return parts.map(({ text }) => text).join(BETWEEN)
}
