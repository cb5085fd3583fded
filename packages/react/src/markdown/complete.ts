import { withoutTrailing } from '../without-trailing.ts'

/**
 * The tail of a text that is still being written, as it will most likely look: open marks are closed, and marks without
 * content are left out. So bold text is bold from its first letter, and no mark appears briefly.
 */
export function completed(tail: string): string {
  const fence = openFence(tail)
  if (fence !== undefined) return withoutPartialFence(tail, fence)
  const lines = tail.split('\n')
  const last = lines.pop() ?? ''
  const above = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  if (isUnfinishedTable(tail)) return ''
  if (MARK_ONLY.test(last)) return above
  const start = above.lastIndexOf('\n\n') + 1
  return above.slice(0, start) + closed(above.slice(start) + last)
}

/** A line that consists of a mark only; below a paragraph, `-` would briefly make it a heading. */
const MARK_ONLY = /^\s*(?:[-*+=_]+|`{1,2}|~{1,2}|#{1,6}|\d{1,9}[.)]?|>+|(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]?\]?)\s*$/
const FENCE_LINE = /^ *(?:>\s*|[-*+]\s+|\d{1,9}[.)]\s+)*(`{3,}|~{3,})/
const DELIMITER_ROW = /^\|(?:\s*:?-+:?\s*\|)+$/
const MARKS_AND_SPACE = '*_~` \n'

function openFence(text: string): string | undefined {
  let open: string | undefined
  for (const line of text.split('\n')) {
    if (open === undefined) open = FENCE_LINE.exec(line)?.[1]
    else if (line.replace(/^[ >]*/, '').startsWith(open) && line.trim().replace(/[`~> ]/g, '') === '') open = undefined
  }
  return open
}

function withoutPartialFence(text: string, fence: string): string {
  const cut = text.lastIndexOf('\n') + 1
  const last = text.slice(cut).trim()
  return last !== '' && last.length < fence.length && fence.startsWith(last) ? text.slice(0, cut) : text
}

/** A row of cells is a table only once the row of dashes below it is complete. */
function isUnfinishedTable(tail: string): boolean {
  const [header = '', delimiter, body] = tail.trimStart().split('\n')
  if (!header.startsWith('|')) return false
  return delimiter === undefined || (body === undefined && !DELIMITER_ROW.test(delimiter.trim()))
}

/** A paragraph with its open marks closed, the inner before the outer. */
function closed(paragraph: string): string {
  const text = withoutOpenLink(paragraph)
  const open = openMarks(text)
  const last = open.at(-1)
  if (last === undefined) return text.replace(/(?<![\\*])\*$/, '')
  if (last.end === text.length) return closed(withoutTrailing(text, MARKS_AND_SPACE))
  const isCode = last.mark.startsWith('`')
  const body = isCode ? text : withoutTrailing(text, '*_~ \n')
  return (
    body +
    open
      .map(({ mark }) => mark)
      .reverse()
      .join('')
  )
}

/** `[text](addr` shows its text; an incomplete image or footnote shows nothing. */
function withoutOpenLink(text: string): string {
  const open = /(!?)\[([^[\]\n]*)(?:\](?:\([^()\n]*)?)?$/.exec(text)
  if (open === null || text.charAt(open.index - 1) === '\\') return text
  const [, bang, label = ''] = open
  return text.slice(0, open.index) + (bang === '!' || label.startsWith('^') ? '' : label)
}

interface OpenMark {
  readonly mark: string
  readonly end: number
}

/** Code contains no other marks; a mark that is already open is closed, with every mark opened after it. */
function openMarks(text: string): readonly OpenMark[] {
  const open: OpenMark[] = []
  for (const match of text.matchAll(/\\[\s\S]|`+|\*\*|__|~~|(?<![\s*])\*(?!\*)|\*(?![\s*])/g)) {
    const mark = match[0]
    const code = open.at(-1)?.mark.startsWith('`') ? open.at(-1) : undefined
    if (mark.startsWith('\\') || (code !== undefined && code.mark !== mark)) continue
    const index = open.findLastIndex((entry) => entry.mark === mark)
    if (index === -1) open.push({ mark, end: match.index + mark.length })
    else open.length = index
  }
  return open
}
