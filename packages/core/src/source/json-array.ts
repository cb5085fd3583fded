import { createDecoder, createRecordText } from './record-text.ts'
import { type CreateSource, DEFAULT_MAX_RECORD, type RawRecord, recordOf, tooLarge } from './source.ts'

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92

const isOpener = (code: number) => code === 91 || code === 123
const isCloser = (code: number) => code === 93 || code === 125
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)

/** The elements of one JSON array, each as soon as it is complete, however the text is laid out over lines. */
export const jsonArray: CreateSource = ({ maxRecord = DEFAULT_MAX_RECORD } = {}) => {
  const decoder = createDecoder()
  let records: RawRecord[] = []
  const element = createRecordText(maxRecord)
  /** Containers that are open inside the current element; the array around the elements does not count. */
  let depth = 0
  let inArray = false
  let inElement = false
  let inString = false
  let escaped = false

  function finish(fragment: string): void {
    element.add(fragment)
    const { text, isWhole } = element.take()
    records.push(isWhole ? recordOf(text) : tooLarge(text, maxRecord))
    depth = 0
    inElement = false
    inString = false
    escaped = false
  }

  /** Inside a string only its end matters. */
  function stepString(code: number): void {
    if (escaped) escaped = false
    else if (code === BACKSLASH) escaped = true
    else if (code === QUOTE) inString = false
  }

  function feed(text: string): RawRecord[] {
    let start = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (inString) stepString(code)
      else if (!inElement) {
        if (isSpace(code) || code === COMMA || (inArray && code === 93)) continue
        if (!inArray && code === 91) inArray = true
        else {
          inElement = true
          start = at
          depth = isOpener(code) ? 1 : 0
          inString = code === QUOTE
        }
      } else if (code === QUOTE) inString = true
      else if (isOpener(code)) depth++
      else if (isCloser(code) && depth > 0) {
        depth--
        if (depth === 0) finish(text.slice(start, at + 1))
      } else if (depth === 0 && (code === COMMA || isCloser(code) || isSpace(code))) finish(text.slice(start, at))
      if (!inElement) start = at + 1
    }
    if (inElement) element.add(text.slice(start))
    const taken = records
    records = []
    return taken
  }

  return {
    feed: (bytes) => feed(decoder.decode(bytes)),
    end() {
      const taken = feed(decoder.end())
      if (inElement) finish('')
      taken.push(...records)
      records = []
      return taken
    },
  }
}
