/** A text, split into top-level markdown blocks. All but the last are finished: more text does not change them. */
export interface SplitText {
  readonly text: string
  readonly blocks: readonly string[]
  /** Where the last block begins. */
  readonly tailStart: number
}

/** Splits a growing text, each time from the start of its last block. A different text is split from its beginning. */
export function createSplitter(): (text: string) => readonly string[] {
  let before: SplitText = { text: '', blocks: [], tailStart: 0 }
  return (text) => {
    before = splitFurther(before, text)
    return before.blocks
  }
}

/**
 * The same blocks as `split(text)`. If `text` begins with the text of `before`, only what follows the finished blocks
 * of `before` is scanned.
 */
function splitFurther(before: SplitText, text: string): SplitText {
  if (text === before.text) return before
  if (before.tailStart === 0 || !text.startsWith(before.text)) return split(text)
  const tail = split(text.slice(before.tailStart))
  const finished = before.blocks.slice(0, -1)
  return { text, blocks: [...finished, ...tail.blocks], tailStart: before.tailStart + tail.tailStart }
}

export function split(text: string): SplitText {
  const blocks: string[] = []
  let start = 0
  let scan: Scan = begin
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline + 1
    const line = text.slice(at, end).trimEnd()
    const mayGrow = newline === -1
    if (scan.isAfterBlank && line !== '' && beginsBlock(scan, line, mayGrow)) {
      blocks.push(text.slice(start, at))
      start = at
      scan = begin
    }
    scan = next(scan, line)
    at = end
  }
  return { text, blocks: start < text.length ? [...blocks, text.slice(start)] : blocks, tailStart: start }
}

/** The state of the block that is being scanned. */
interface Scan {
  readonly isAfterBlank: boolean
  /** Blank lines do not end a list: there may be some between its items. */
  readonly isList: boolean
  /** The end of a range in which blank lines do not count: a fence, a comment, a raw element. */
  readonly until: RegExp | undefined
  readonly isBegun: boolean
}

const begin: Scan = { isAfterBlank: false, isList: false, until: undefined, isBegun: false }

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/
// A fence takes all of its marks: backtracking over them would be quadratic.
const FENCE = /^ *(?:>\s*|[-*+]\s+|\d{1,9}[.)]\s+)*(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/
const RAW_BLOCKS: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:script|pre|style|textarea)\b/i, /<\/(?:script|pre|style|textarea)>/i],
]

/** What may become the number of a list item once its point follows. */
const DIGITS = /^ {0,3}\d{1,9}$/

/** Indented lines belong to what is above them: a list item, a footnote, indented code. */
function beginsBlock({ isList, until }: Scan, line: string, mayGrow: boolean): boolean {
  if (until !== undefined || /^(?: {4}|\t)/.test(line)) return false
  if (!isList) return true
  return !(/^ {2}/.test(line) || LIST_ITEM.test(line) || (mayGrow && DIGITS.test(line)))
}

function next(scan: Scan, line: string): Scan {
  if (line === '') return { ...scan, isAfterBlank: scan.isBegun }
  const isList = scan.isBegun ? scan.isList : LIST_ITEM.test(line)
  const until = scan.until === undefined ? opened(line) : scan.until.test(line) ? undefined : scan.until
  return { isAfterBlank: false, isList, until, isBegun: true }
}

function opened(line: string): RegExp | undefined {
  const fence = FENCE.exec(line)?.[1]
  if (fence !== undefined) return new RegExp(`^[ >]*${fence.charAt(0)}{${fence.length},}$`)
  const raw = RAW_BLOCKS.find(([open]) => open.test(line))
  return raw === undefined || raw[1].test(line) ? undefined : raw[1]
}

export interface Listing {
  readonly code: string
  /** The first word after the fence. */
  readonly info: string
}

const FENCED = /^(`{3,}(?!`)|~{3,}(?!~))[ \t]*(?![ \t])([^\s`]*)(?:[^\S\n][^\n`]*)?(?:\n|$)/

/** The listing of a block that is one unindented fence and nothing else; undefined for any other block. */
export function listingOf(block: string): Listing | undefined {
  const open = FENCED.exec(block)
  if (open === null) return undefined
  const [head, fence = '', info = ''] = open
  const afterFence = block.slice(head.length)
  const close = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`, 'm').exec(afterFence)
  if (close === null) return { code: afterFence.replace(/\n$/, ''), info }
  const isAlone = afterFence.slice(close.index + close[0].length).trim() === ''
  return isAlone ? { code: afterFence.slice(0, close.index).replace(/\n$/, ''), info } : undefined
}
