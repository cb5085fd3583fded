/** A part of a reasoning summary, or a delta of a part, as providers stream it. */
export interface ReasoningPart {
  readonly summary_index: number
  readonly text: string
  /** The part ends here. Its text is then the last delta, or the whole part once more. */
  readonly is_complete: boolean
  readonly sequence_number: number
}

/** How the text of a reasoning segment changes: it grows at its end, or is replaced. */
export type TextChange = { readonly added: string } | { readonly whole: string }

/** The parts of one reasoning segment, in whatever order they arrive. */
export interface ReasoningParts {
  /** Undefined if the part changes nothing: it is empty, or was added before. */
  upsert(part: ReasoningPart): TextChange | undefined
  /** Marks a part as complete if this one only repeats its text. False if it does not. */
  complete(part: ReasoningPart): boolean
  all(): readonly ReasoningPart[]
}

interface CollectedPart {
  readonly index: number
  text: string
  sequence: number
  isComplete: boolean
}

/** Parts are paragraphs. */
const PARAGRAPH_BREAK = '\n\n'

export function createReasoningParts(): ReasoningParts {
  /** Sorted by index. */
  const parts: CollectedPart[] = []

  function insert({ summary_index, text, sequence_number, is_complete }: ReasoningPart): TextChange {
    const part = { index: summary_index, text, sequence: sequence_number, isComplete: is_complete }
    const laterIndex = parts.findIndex((other) => other.index > summary_index)
    if (laterIndex !== -1) {
      parts.splice(laterIndex, 0, part)
      return { whole: wholeOf(parts) }
    }
    parts.push(part)
    return { added: parts.length === 1 ? text : PARAGRAPH_BREAK + text }
  }

  return {
    upsert(part) {
      if (part.text === '') return undefined
      const existing = parts.find((other) => other.index === part.summary_index)
      if (existing === undefined) return insert(part)
      if (part.sequence_number <= existing.sequence) return undefined
      existing.sequence = part.sequence_number
      existing.isComplete ||= part.is_complete
      const added = addedBy(part, existing.text)
      if (added === '') return undefined
      existing.text += added
      return existing === parts.at(-1) ? { added } : { whole: wholeOf(parts) }
    },
    complete({ summary_index, text, is_complete, sequence_number }) {
      const existing = parts.find((other) => other.index === summary_index)
      if (!is_complete || existing?.text !== text) return false
      existing.isComplete = true
      existing.sequence = Math.max(existing.sequence, sequence_number)
      return true
    },
    all: () =>
      parts.map(({ index, text, sequence, isComplete }) => {
        return { summary_index: index, text, is_complete: isComplete, sequence_number: sequence }
      }),
  }
}

/** A complete part that begins with the text streamed so far repeats that text; any other text follows it. */
function addedBy({ text, is_complete }: ReasoningPart, streamed: string): string {
  return is_complete && text.startsWith(streamed) ? text.slice(streamed.length) : text
}

function wholeOf(parts: readonly CollectedPart[]): string {
  return parts.map(({ text }) => text).join(PARAGRAPH_BREAK)
}
