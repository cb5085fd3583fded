import type { State } from './scan.ts'
import { enterTag, openerStart } from './tag.ts'

/*
 * Text outside thoughts, and the code in it, where a tag is only mentioned. The rules need no look-ahead, so nothing is
 * held back for code. A run of one or two backticks opens code until an equal run or the end of its line, so a single
 * backtick affects one line. A longer run that is not a fence (as in a list item) ends at an equal run or a blank line.
 */

const NEWLINE = 0x0a
const SPACE = 0x20
const LESS = 0x3c
const BACKTICK = 0x60
const TILDE = 0x7e

/** The shortest run that is a fence. */
const FENCE = 3

/** Whether a character has a meaning in the middle of a line. */
export function isSpecial(code: number): boolean {
  return code === LESS || code === BACKTICK || code === NEWLINE
}

/** The hot loop: most characters are prose. */
export const prose: State = (scan, text, start) => {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LESS) return enterTag(scan, at, openerStart, prose)
    if (code === NEWLINE) {
      scan.state = lineStart
      scan.indent = 0
      return at + 1
    }
    if (code === BACKTICK) {
      scan.state = ticks
      scan.runLength = 1
      return at + 1
    }
  }
  return text.length
}

/**
 *     ··```js
 *     ^^^
 */
export const lineStart: State = (scan, text, at) => {
  const code = text.charCodeAt(at)
  if (code === SPACE && scan.indent < 3) scan.indent++
  else if (code === NEWLINE) scan.indent = 0
  else if (code === BACKTICK || code === TILDE) {
    scan.fenceChar = code
    scan.runLength = 1
    scan.state = fenceRun
  } else {
    scan.state = prose
    return at
  }
  return at + 1
}

/**
 *     ~~~text
 *      ^^^
 */
const fenceRun: State = (scan, text, at) => {
  if (text.charCodeAt(at) === scan.fenceChar) {
    scan.runLength++
    return at + 1
  }
  scan.openingLength = scan.runLength
  if (scan.runLength >= FENCE) scan.state = fenceInfo
  else scan.state = scan.fenceChar === BACKTICK ? span : prose
  return at
}

/**
 * A backtick after a run of backticks means that the line is not a fence but begins with inline code.
 *
 *     ```js⏎
 *        ^^^
 */
const fenceInfo: State = (scan, text, at) => {
  const code = text.charCodeAt(at)
  if (code === NEWLINE) {
    scan.state = fenceLine
    scan.indent = 0
  } else if (code === BACKTICK && scan.fenceChar === BACKTICK) {
    scan.state = spanTicks
    scan.runLength = 1
  }
  return at + 1
}

/** The start of a line within a fence, which may be its last. */
const fenceLine: State = (scan, text, at) => {
  const code = text.charCodeAt(at)
  if (code === SPACE && scan.indent < 3) scan.indent++
  else if (code === scan.fenceChar) {
    scan.runLength = 1
    scan.state = fenceClose
  } else {
    scan.state = fenceBody
    return at
  }
  return at + 1
}

const fenceBody: State = (scan, text, at) => {
  const end = text.indexOf('\n', at)
  if (end === -1) return text.length
  scan.state = fenceLine
  scan.indent = 0
  return end + 1
}

const fenceClose: State = (scan, text, at) => {
  if (text.charCodeAt(at) === scan.fenceChar) {
    scan.runLength++
    return at + 1
  }
  scan.state = scan.runLength >= scan.openingLength ? fenceTail : fenceBody
  return at
}

/** Only blanks may follow a closing fence; otherwise it is a line of the code. */
const fenceTail: State = (scan, text, at) => {
  const code = text.charCodeAt(at)
  if (isBlank(code)) return at + 1
  scan.state = code === NEWLINE ? lineStart : fenceBody
  scan.indent = 0
  return code === NEWLINE ? at + 1 : at
}

/**
 *     a ``b`` c
 *        ^^
 */
const ticks: State = (scan, text, at) => {
  if (text.charCodeAt(at) === BACKTICK) {
    scan.runLength++
    return at + 1
  }
  scan.openingLength = scan.runLength
  scan.state = span
  return at
}

/**
 *     a ``b`` c
 *         ^
 */
const span: State = (scan, text, at) => {
  const code = text.charCodeAt(at)
  if (code === BACKTICK) {
    scan.state = spanTicks
    scan.runLength = 1
  } else if (code === NEWLINE) {
    scan.state = scan.openingLength < FENCE ? lineStart : spanLine
    scan.indent = 0
  }
  return at + 1
}

/**
 *     a ``b`` c
 *          ^^
 */
const spanTicks: State = (scan, text, at) => {
  if (text.charCodeAt(at) === BACKTICK) {
    scan.runLength++
    return at + 1
  }
  scan.state = scan.runLength === scan.openingLength ? prose : span
  return at
}

const spanLine: State = (scan, text, at) => {
  const code = text.charCodeAt(at)
  if (isBlank(code)) return at + 1
  scan.state = code === NEWLINE ? lineStart : span
  return code === NEWLINE ? at + 1 : at
}

function isBlank(code: number): boolean {
  return code === SPACE || code === 0x09 || code === 0x0d
}
