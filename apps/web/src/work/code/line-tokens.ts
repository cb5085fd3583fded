import { type Token, tokensOf } from '@millrace/react'

/** A range of a line: its colour, and whether it differs from its counterpart. */
export interface LineToken extends Token {
  readonly isMarked: boolean
}

/** A longer line is drawn without colours. */
const MOST = 2_000
/** And a line that is longer than this is cut: a browser takes seconds to lay it out. */
export const LONGEST_LINE = 10_000

/** Lines inside a comment of several lines: the lexer sees one line at a time. */
const INSIDE_COMMENT = /^\s*\*(?:\s|\/|$)/
const STAR_COMMENTS = /^(?:[cm]?[jt]sx?|c|h|cc|cpp|hpp|cs|java|kt|go|rs|swift|php|css|scss)$/

/** A line in its colours, divided where its mark begins and ends. */
export function lineTokens(
  text: string,
  language: string,
  mark: readonly [from: number, to: number] | undefined,
): readonly LineToken[] {
  const shown = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text
  const tokens = tokensOfLine(shown, language)
  if (mark === undefined || mark[0] === mark[1]) return tokens.map((token) => ({ ...token, isMarked: false }))
  const [from, to] = mark
  const divided: LineToken[] = []
  let at = 0
  for (const { text: part, kind } of tokens) {
    const cuts = [0, from - at, to - at, part.length].map((cut) => Math.max(0, Math.min(part.length, cut)))
    for (const [index, isMarked] of [false, true, false].entries()) {
      const piece = part.slice(cuts[index], cuts[index + 1])
      if (piece !== '') divided.push({ text: piece, kind, isMarked })
    }
    at += part.length
  }
  return divided
}

function tokensOfLine(text: string, language: string): readonly Token[] {
  if (text.length > MOST) return [{ text, kind: 'plain' }]
  if (STAR_COMMENTS.test(language) && INSIDE_COMMENT.test(text)) return [{ text, kind: 'comment' }]
  return tokensOf(text, language)
}

/** The language of a file, by the end of its name. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot + 1)
}
