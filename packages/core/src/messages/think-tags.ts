import type { Meta } from '../event-fields.ts'
import type { ReasoningSegment, Segment, TextSegment } from '../fold/shapes.ts'

/** A segment, and for a text the text that goes back. */
interface TextRun {
  readonly segment: Segment
  readonly text?: string
}

/** The segments of a message. `keep` joins thoughts between tags with the text that they were cut from, tags included. */
export function textRuns(segments: readonly Segment[], thinkTags: 'keep' | 'drop'): readonly TextRun[] {
  if (thinkTags === 'drop') return segments.filter((segment) => !isTagged(segment)).map((segment) => ({ segment }))
  const runs: TextRun[] = []
  let isOpen = false
  for (const segment of segments) {
    const isCut = isTagged(segment)
    const last = runs.at(-1)
    const isContinued = last?.text !== undefined && isOpen && (isCut || isText(segment))
    if (isContinued && (isCut || isTagged(segments[segments.indexOf(segment) - 1]))) {
      runs.splice(-1, 1, { segment: last.segment, text: last.text + writtenText(segment) })
    } else if (isCut || isText(segment)) {
      runs.push({ segment: isCut ? asText(segment) : segment, text: writtenText(segment) })
    } else runs.push({ segment })
    isOpen = isCut || isText(segment)
  }
  return runs
}

type Written = TextSegment | ReasoningSegment

const isText = (segment: Segment | undefined): segment is TextSegment => segment?.type === 'text'

const isTagged = (segment: Segment | undefined): segment is ReasoningSegment =>
  segment?.type === 'reasoning' && segment.variant === 'think-tag'

/** A text as the model wrote it: the tags around it, and those with nothing between them. */
function writtenText(segment: Written): string {
  const { before, open, close, after } = bytesOf(segment.meta)
  return `${before}${open}${segment.text}${close}${after}`
}

function bytesOf(meta: Meta | undefined) {
  const textIn = (field: string) => {
    const value = meta?.millrace?.[field]
    return typeof value === 'string' ? value : ''
  }
  return { before: textIn('before'), open: textIn('open'), close: textIn('close'), after: textIn('after') }
}

function asText({
  variant: _,
  signature: _signature,
  encrypted: _encrypted,
  ...fields
}: ReasoningSegment): TextSegment {
  return { ...fields, type: 'text' }
}
