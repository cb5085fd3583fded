import type { Turn } from '../thread-turns.ts'
import type { Row } from './rows.ts'
import { PIECE_GAP, TURN_GAP, type WindowPart } from './window-plan.ts'

/** A drawn part of a turn: a row, or the height of a space between two of its rows. */
export type ArticlePart = { readonly row: Row } | { readonly space: number }

/** What a thread draws, in order: the drawn parts of a turn, or the height of a space between turns. */
export type Article = { readonly turn: Turn; readonly parts: readonly ArticlePart[] } | { readonly space: number }

/** A plan by turns. Heights include the gap below them, which the style sheet adds to a space as to all else. */
export function articlesOf(rows: readonly Row[], parts: readonly WindowPart[]): readonly Article[] {
  const articles: Article[] = []
  let open: { readonly turn: Turn; readonly parts: ArticlePart[] } | undefined
  let space = 0
  for (const part of parts) {
    if ('space' in part) {
      space = part.space
      continue
    }
    const row = rows[part.row]
    if (row === undefined) continue
    const isSameTurn = open?.turn === row.turn
    if (space > 0 && isSameTurn) open?.parts.push({ space: space - PIECE_GAP })
    else if (space > 0) articles.push({ space: space - TURN_GAP })
    space = 0
    if (open === undefined || !isSameTurn) {
      open = { turn: row.turn, parts: [] }
      articles.push(open)
    }
    open.parts.push({ row })
  }
  if (space > 0) articles.push({ space: space - TURN_GAP })
  return articles
}

export function areSameParts(one: readonly ArticlePart[], other: readonly ArticlePart[]): boolean {
  return one.length === other.length && one.every((part, index) => isSamePart(part, other[index]))
}

function isSamePart(one: ArticlePart, other: ArticlePart | undefined): boolean {
  if (other === undefined) return false
  return 'row' in one ? 'row' in other && one.row === other.row : 'space' in other && one.space === other.space
}
