import type { ChatEvent } from '@millrace/core/fold'
import { membersOf } from '../pieces.ts'
import { seqsOfPiece, type Turn, type TurnPiece } from '../thread-turns.ts'

/** What is drawn or left out as one: a piece, with what follows it in its turn. A turn without pieces is one row. */
export interface Row {
  /** Unique in a thread. */
  readonly id: string
  readonly turn: Turn
  readonly piece: TurnPiece | undefined
}

/** The rows of these turns; the same array for the same turns. */
export type RowsOf = (allTurns: readonly Turn[]) => readonly Row[]

export function createRows(): RowsOf {
  let drawn: readonly Turn[] = []
  let rows: readonly Row[] = []
  return (allTurns) => {
    if (allTurns !== drawn) rows = allTurns.flatMap(rowsOfTurn)
    drawn = allTurns
    return rows
  }
}

const ofTurn = new WeakMap<Turn, readonly Row[]>()

/** The same rows for the same turn. */
export function rowsOfTurn(turn: Turn): readonly Row[] {
  const found = ofTurn.get(turn)
  if (found !== undefined) return found
  const { id, pieces } = turn
  const rows =
    pieces.length === 0
      ? [{ id: `turn ${id}`, turn, piece: undefined }]
      : pieces.map((piece) => ({ id: piece.id, turn, piece }))
  ofTurn.set(turn, rows)
  return rows
}

/** The row that holds an entry of a run; for an entry that draws nothing, the one before it. -1 if there is none. */
export function rowOfEntry(rows: readonly Row[], runId: string, seq: number): number {
  let found = -1
  let extent = Number.POSITIVE_INFINITY
  for (const [index, { piece }] of rows.entries()) {
    if (piece?.runId !== runId) continue
    const [first, last] = seqsOfPiece(piece)
    if (first > seq) continue
    const holds = seq <= last
    if (holds && last - first <= extent) extent = last - first
    else if (extent !== Number.POSITIVE_INFINITY) continue
    found = index
  }
  return found
}

const LINE = 22
const ONE_LINE_CARD = 46
const OPEN_CARD = 160
/** Characters in a line of the usual measure. */
const MEASURE = 96

/** The height of a row that was never drawn, with the gap below it, in pixels. Only the scroll bar shows how good it is. */
export function estimatedHeight({ piece }: Row): number {
  if (piece === undefined) return ONE_LINE_CARD
  const found = estimates.get(piece)
  if (found !== undefined) return found
  const height = heightOf(piece)
  estimates.set(piece, height)
  return height
}

const estimates = new WeakMap<TurnPiece, number>()

function heightOf(piece: TurnPiece): number {
  if ('event' in piece) return piece.kind === 'message' ? 48 + textHeight(textOf(piece.event)) : OPEN_CARD / 2
  if (piece.kind === 'flow') return textHeight(piece.texts.map(({ text }) => text).join('')) + ONE_LINE_CARD
  if (piece.kind === 'asks') return OPEN_CARD
  if (piece.kind !== 'segment') return ONE_LINE_CARD
  const [segment] = membersOf(piece)
  if (segment?.type === 'text') return textHeight(segment.text) + 12
  return segment?.type === 'tool' && segment.state === 'failed' ? OPEN_CARD : ONE_LINE_CARD
}

function textOf({ segments }: ChatEvent): string {
  return segments.map((segment) => (segment.type === 'text' ? segment.text : '')).join('\n')
}

/** Long texts are not searched for line breaks: only their length counts. */
function textHeight(text: string): number {
  const breaks = text.length > 4_000 ? 0 : text.split('\n').length - 1
  return LINE * (1 + breaks + Math.floor(text.length / MEASURE))
}
