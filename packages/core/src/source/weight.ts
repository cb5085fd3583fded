import { type CreateSource, DEFAULT_MAX_RECORD, KEPT_OF_TOO_LARGE, type RawRecord, tooLarge } from './source.ts'

/** The maximum number of characters that JSON needs for one, as in `\u0001`. */
const LONGEST_ESCAPE = 6

/** Limits every record of a source by its stored size, not only by its size on arrival. */
export function withWeightLimit(create: CreateSource): CreateSource {
  return (options = {}) => {
    const { maxRecord = DEFAULT_MAX_RECORD } = options
    const source = create(options)
    const isOver = (record: RawRecord) => mayBeOver(record, maxRecord) && weightOf(record) > maxRecord
    const limit = (record: RawRecord) => (isOver(record) ? cutDown(record, maxRecord) : record)
    const limitAll = (records: RawRecord[]) => {
      for (const record of records) if (mayBeOver(record, maxRecord)) return records.map(limit)
      return records
    }
    return {
      ...source,
      feed: (bytes) => limitAll(source.feed(bytes)),
      end: () => limitAll(source.end()),
    }
  }
}

/** Nearly every record is so short that its characters need not be counted. */
const mayBeOver = ({ text, name }: RawRecord, maxRecord: number) =>
  (text.length + (name === undefined ? 0 : name.length)) * LONGEST_ESCAPE > maxRecord

/** A text that is JSON is stored at about its own length; any other text, and a name, is stored as a JSON string. */
function weightOf({ text, name = '', problem }: RawRecord): number {
  return (problem === undefined ? text.length : lengthAsJson(text)) + lengthAsJson(name)
}

function lengthAsJson(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) length += extraOf(text.charCodeAt(at))
  return length
}

const SHORT_ESCAPES = new Set(['\b', '\t', '\n', '\f', '\r'].map((sign) => sign.charCodeAt(0)))

function extraOf(code: number): number {
  if (code < 32) return SHORT_ESCAPES.has(code) ? 1 : LONGEST_ESCAPE - 1
  return code === 34 || code === 92 ? 1 : 0
}

function cutDown({ text, name }: RawRecord, maxRecord: number): RawRecord {
  const short = tooLarge(text, maxRecord)
  return name === undefined ? short : { ...short, name: name.slice(0, KEPT_OF_TOO_LARGE) }
}
