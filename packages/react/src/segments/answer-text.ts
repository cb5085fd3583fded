import type { TextSegment } from '@millrace/core/fold'
import { safeLink } from '../links.ts'
import type { CitedText } from './cited-text.ts'

/** A text that is a structured answer: its title as a heading, its content, and its sources below. Undefined for any other. */
export function answerText(texts: readonly TextSegment[]): CitedText | undefined {
  const [only, ...more] = texts
  if (only?.answer === undefined || more.length > 0) return undefined
  const { title, content = '', sources = [] } = only.answer
  const heading = title === undefined ? '' : `## ${asPlain(title)}\n\n`
  return {
    plain: heading + content,
    marked: heading + content,
    sources: sources.map((source) => {
      const url = source.url === undefined ? undefined : safeLink(source.url)
      return { title: source.title ?? source.url ?? '', url }
    }),
  }
}

/** A title is a text in one line: nothing of it is a mark of Markdown. */
const asPlain = (title: string) => title.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#~|&]/g, '\\$&')
