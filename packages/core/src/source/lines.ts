import { createDecoder, createRecordText } from './record-text.ts'
import type { RawRecord, Source } from './source.ts'

/** Receives each line without its end; `isWhole` is false if the line was too large and only its beginning is given. */
export type OnLine = (line: string, isWhole: boolean) => void

export interface Lines {
  feed(text: string): void
  end(): void
}

/** A source that reads lines: it decodes and splits bytes, and collects the records that the lines complete. */
export function lineSource(
  maxLine: number,
  create: (add: (record: RawRecord) => void) => { readonly onLine: OnLine; readonly end: () => void },
): Source {
  const decoder = createDecoder()
  let records: RawRecord[] = []
  const reader = create((record) => {
    records.push(record)
  })
  const lines = createLines(maxLine, reader.onLine)

  function take(): RawRecord[] {
    const taken = records
    records = []
    return taken
  }

  return {
    feed(bytes) {
      lines.feed(decoder.decode(bytes))
      return take()
    },
    end() {
      lines.feed(decoder.end())
      lines.end()
      reader.end()
      return take()
    },
  }
}

/** Splits text at LF, CRLF and CR, wherever the chunks are cut, but not at U+2028 and U+2029: JSON may hold them. */
export function createLines(maxLine: number, onLine: OnLine): Lines {
  const unfinished = createRecordText(maxLine)
  /** A CR at the end of a chunk has ended its line; an LF that follows belongs to that CR. */
  let skipLineFeed = false

  function finish(fragment: string): void {
    if (unfinished.length === 0 && fragment.length <= maxLine) {
      onLine(fragment, true)
      return
    }
    unfinished.add(fragment)
    const { text, isWhole } = unfinished.take()
    onLine(text, isWhole)
  }

  function feedAnyEnds(text: string, from: number): void {
    let start = from
    let lineFeed = text.indexOf('\n', start)
    let carriageReturn = text.indexOf('\r', start)
    while (lineFeed !== -1 || carriageReturn !== -1) {
      const isReturn = carriageReturn !== -1 && (lineFeed === -1 || carriageReturn < lineFeed)
      const end = isReturn ? carriageReturn : lineFeed
      finish(text.slice(start, end))
      start = end + 1
      if (isReturn) {
        if (start === text.length) skipLineFeed = true
        else if (text.charCodeAt(start) === 10) start++
        carriageReturn = text.indexOf('\r', start)
      }
      if (lineFeed !== -1 && lineFeed < start) lineFeed = text.indexOf('\n', start)
    }
    if (start < text.length) unfinished.add(text.slice(start))
  }

  function feedLineFeeds(text: string, from: number): void {
    let start = from
    for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', start)) {
      // Most streams have an empty line after each line.
      if (at === start && unfinished.length === 0) onLine('', true)
      else finish(text.slice(start, at))
      start = at + 1
    }
    if (start < text.length) unfinished.add(text.slice(start))
  }

  return {
    feed(text) {
      if (text === '') return
      const from = skipLineFeed && text.charCodeAt(0) === 10 ? 1 : 0
      skipLineFeed = false
      if (text.includes('\r')) feedAnyEnds(text, from)
      else feedLineFeeds(text, from)
    },
    end() {
      if (unfinished.length > 0) finish('')
    },
  }
}
