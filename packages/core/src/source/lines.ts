import { beginningOf } from './source.ts'

/** Receives each line without its end; `isWhole` is false where the line was too large and only its beginning is here. */
export type OnLine = (line: string, isWhole: boolean) => void

export interface Lines {
  feed(text: string): void
  end(): void
}

/** Splits text at LF, CRLF and CR, wherever the chunks are cut. U+2028 and U+2029 end no line: JSON may hold them. */
export function createLines(maxLine: number, onLine: OnLine): Lines {
  /** Pieces of the unfinished line, joined once: appending to a string per chunk would flatten it again and again. */
  let pieces: string[] = []
  let length = 0
  /** A CR at the very end of a chunk has ended its line; a LF that follows it belongs to it. */
  let skipLineFeed = false

  function hold(piece: string): void {
    if (length <= maxLine) pieces.push(piece)
    length += piece.length
    if (length > maxLine && pieces.length > 0) pieces = [beginningOf(pieces)]
  }

  function finish(piece: string): void {
    if (length === 0 && piece.length <= maxLine) {
      onLine(piece, true)
      return
    }
    hold(piece)
    const line = pieces.join('')
    const isWhole = length <= maxLine
    pieces = []
    length = 0
    onLine(line, isWhole)
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
    if (start < text.length) hold(text.slice(start))
  }

  function feedLineFeeds(text: string, from: number): void {
    let start = from
    for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', start)) {
      finish(text.slice(start, at))
      start = at + 1
    }
    if (start < text.length) hold(text.slice(start))
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
      if (length > 0) finish('')
    },
  }
}
