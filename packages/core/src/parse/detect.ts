import type { RawRecord } from '../source/source.ts'
import type { Parser } from './parser.ts'

/** The maximum number of records that are examined. */
export const DETECT_WITHIN = 24

/** Records with this much text are enough, however few they are. */
const ENOUGH_TEXT = 1024 * 1024

/** No format is named if its mean certainty is below `SURE` or within `MARGIN` of another format's. */
const SURE = 0.5
const MARGIN = 0.15

export type Detection =
  | { readonly format: string; readonly certainty: number; readonly reason: string }
  | {
      readonly format: undefined
      readonly certainty: number
      readonly reason: string
      /** The format that it looks most like, if it looks like any. */
      readonly guess?: string
    }

interface Candidate {
  readonly format: string
  /** Whether it recognises every record, and none counts against it. */
  readonly recognisesAll: boolean
  readonly certainty: number
  readonly reason: string
}

/** How many of the first records are enough to determine the format; undefined if there are too few. */
export function sampleSize(records: readonly RawRecord[]): number | undefined {
  let text = 0
  for (const [index, record] of records.entries()) {
    text += record.text.length
    if (index + 1 === DETECT_WITHIN || text >= ENOUGH_TEXT) return index + 1
  }
  return undefined
}

/** The format of a stream that begins with these records, with the reason; or why it cannot be determined. */
export function detectFormat(parsers: { readonly [name: string]: Parser }, records: readonly RawRecord[]): Detection {
  const readable = records.slice(0, DETECT_WITHIN).filter((record) => record.problem === undefined)
  if (readable.length === 0) return unsure(0, records.length === 0 ? 'there are no records.' : 'no record is JSON.')
  const candidates = Object.entries(parsers)
    .map(([format, parser]) => candidateOf(format, parser, readable))
    .sort((a, b) => b.certainty - a.certainty)
  // A format that recognises every record precedes one that is more certain of some and does not recognise others.
  const complete = candidates.filter(({ recognisesAll, certainty }) => recognisesAll && certainty >= SURE)
  const [best, second] = complete.length > 0 ? complete : candidates
  if (complete.length === 0 && isDocument(readable)) return unsure(Math.max(0, best?.certainty ?? 0), DOCUMENT, best)
  if (best === undefined || best.certainty <= 0) return unsure(0, 'no parser knows these records.')
  if (best.certainty < SURE)
    return unsure(best.certainty, `it looks most like ${best.format}, but only ${percent(best)}.`, best)
  if (second !== undefined && best.certainty - second.certainty < MARGIN) {
    return unsure(
      best.certainty,
      `it could be ${best.format} (${percent(best)}) or ${second.format} (${percent(second)}).`,
      best,
    )
  }
  return { format: best.format, certainty: best.certainty, reason: best.reason }
}

const DOCUMENT = 'it is one JSON document over several lines, not a stream of records.'

/** Whether the first record is JSON over several lines: a stream has each record on one line. */
function isDocument([first]: readonly RawRecord[]): boolean {
  return first !== undefined && /\n/.test(first.text)
}

const unsure = (certainty: number, reason: string, best?: Candidate): Detection => ({
  format: undefined,
  certainty,
  reason,
  ...(best !== undefined && best.certainty > 0 && { guess: best.format }),
})

const percent = ({ certainty }: Candidate) => `${Math.round(certainty * 100)} % sure`

/** The mean certainty over all records, negative ones included, with the reason of the most certain record. */
function candidateOf(format: string, parser: Parser, records: readonly RawRecord[]): Candidate {
  let total = 0
  let recognised = 0
  let highest = 0
  let reason = ''
  for (const record of records) {
    const recognition = parser.recognize(record)
    if (recognition === undefined) continue
    if (recognition.certainty > 0) recognised++
    total += recognition.certainty
    if (recognition.certainty > highest) {
      highest = recognition.certainty
      reason = recognition.reason
    }
  }
  return { format, recognisesAll: recognised === records.length, certainty: total / records.length, reason }
}
