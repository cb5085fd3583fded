import type { TextSegment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { safeLink } from '../links.ts'
import { isObject } from '../tools/argument.ts'

export interface CitedSource {
  readonly title: string
  readonly url: string | undefined
}

/** Texts as one, with a link at each citation that names its number, and what is cited. */
export interface CitedText {
  readonly plain: string
  readonly marked: string
  /** Each once, by its number: the first is 1. */
  readonly sources: readonly CitedSource[]
}

/** The address of a mark. The view of links draws the number in its place. */
const MARK = '#mr-cite-'

export function citedText(texts: readonly TextSegment[]): CitedText {
  const sources: CitedSource[] = []
  let marked = ''
  for (const { text, citations = [] } of texts) {
    const marks = citations.flatMap((citation) => {
      const source = sourceOf(citation)
      return source === undefined ? [] : [{ at: endOf(citation, text), number: numberIn(sources, source) }]
    })
    marked = withMarks(marked, text, marks)
  }
  return { plain: texts.map(({ text }) => text).join(''), marked, sources }
}

/** The number of the citation that a link stands for. */
export function citedNumber(href: string): number | undefined {
  const digits = href.startsWith(MARK) ? href.slice(MARK.length) : ''
  return /^\d{1,4}$/.test(digits) ? Number(digits) : undefined
}

interface Mark {
  readonly at: number
  readonly number: number
}

function withMarks(before: string, text: string, marks: readonly Mark[]): string {
  const inOrder = [...new Map(marks.map((mark) => [`${mark.at} ${mark.number}`, mark])).values()]
  let marked = before
  let from = 0
  for (const { at, number } of inOrder.sort((one, other) => one.at - other.at || one.number - other.number)) {
    marked += text.slice(from, at)
    from = at
    if (mayStandAfter(marked)) marked += `[${number}](${MARK}${number})`
  }
  return marked + text.slice(from)
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/gm

/** In code and at the end of a table row or of a line that draws itself, a mark would change what is drawn. */
function mayStandAfter(text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  const isCode = (text.match(FENCE)?.length ?? 0) % 2 === 1 || (line.match(/`/g)?.length ?? 0) % 2 === 1
  return !isCode && /[^\s|`]\s*$/.test(line)
}

/** Where the cited words end: where the provider says it, else at the end of the text. */
function endOf(citation: Json, text: string): number {
  const end = isObject(citation) ? citation.end_index : undefined
  const isCounted = typeof end === 'number' && Number.isInteger(end) && end > 0
  // Providers count characters, not units of UTF-16.
  const at = isCounted ? [...text].slice(0, end).join('').length : text.length
  return text.slice(0, at).trimEnd().length
}

function numberIn(sources: CitedSource[], source: CitedSource): number {
  const index = sources.findIndex(({ title, url }) => (url ?? title) === (source.url ?? source.title))
  return index === -1 ? sources.push(source) : index + 1
}

/** Providers share few names but these. */
function sourceOf(citation: Json): CitedSource | undefined {
  if (!isObject(citation)) return undefined
  const named = [citation.title, citation.document_title, citation.filename, citation.url, citation.cited_text]
  const title = named.find((name) => typeof name === 'string' && name !== '')
  const url = safeLink(typeof citation.url === 'string' ? citation.url : undefined)
  return typeof title === 'string' ? { title: title.slice(0, 200), url } : undefined
}
