import type { RefObject } from 'react'
import { seqsOfPiece } from '../thread-turns.ts'
import { type Row, rowOfEntry } from '../window/rows.ts'
import type { ThreadWindow } from '../window/thread-window.ts'

/** A piece of a thread, by the entries that it holds. */
export interface PieceAddress {
  readonly runId: string
  readonly seqs: readonly [first: number, last: number]
}

/** Moves through a thread by its pieces, also those that are not in the page. */
export interface ThreadHandle {
  /** Moves the focus to the next or the previous piece, and draws it first. Undefined at the end of the thread. */
  focusPiece(step: 1 | -1): PieceAddress | undefined
  /** Moves the focus to the first piece of the next or the previous turn. */
  focusTurn(step: 1 | -1): PieceAddress | undefined
  /** Moves the focus to the piece that holds an entry. */
  focusEntry(runId: string, seq: number): PieceAddress | undefined
  /** The piece that has the focus, if any. */
  focused(): PieceAddress | undefined
  /** Opens or closes the piece that has the focus. False if there is none, or nothing to open. */
  fold(): boolean
  /** Scrolls to the end, and follows it. */
  toEnd(): void
}

interface Parts {
  readonly scroller: RefObject<HTMLElement | null>
  readonly threadWindow: ThreadWindow
  readonly toEnd: () => void
}

export function createThreadHandle({ scroller, threadWindow, toEnd }: Parts): ThreadHandle {
  const elementOf = ({ piece }: Row): HTMLElement | undefined => {
    if (piece === undefined) return undefined
    const run = `[data-run="${CSS.escape(piece.runId)}"]`
    const found = scroller.current?.querySelector<HTMLElement>(`${run}[data-seqs="${seqsOfPiece(piece).join('-')}"]`)
    return found ?? undefined
  }
  const rowAt = (element: Element | null | undefined): number => {
    const piece = element?.closest('[data-run][data-seqs]')
    if (piece === null || piece === undefined || scroller.current?.contains(piece) !== true) return -1
    return threadWindow.rows().findIndex((row) => elementOf(row) === piece)
  }

  /** Without a focused piece, the first of the screen; at a step backward, the last. */
  function rowOnScreen(step: 1 | -1): number {
    const box = scroller.current
    if (box === null) return -1
    const { top, bottom } = box.getBoundingClientRect()
    const pieces = [...box.querySelectorAll('.mr-piece[data-run]')].filter((piece) => {
      const frame = piece.getBoundingClientRect()
      return frame.height > 0 && frame.top >= top - 1 && frame.top < bottom
    })
    return rowAt(pieces.at(step === 1 ? 0 : -1))
  }

  function focusRow(index: number): PieceAddress | undefined {
    const row = threadWindow.rows()[index]
    if (row?.piece === undefined) return undefined
    const element = elementOf(row)
    if (element === undefined || !isInView(element, scroller.current)) threadWindow.revealRow(index)
    const drawn = elementOf(row)
    if (drawn === undefined) return undefined
    focusPieceElement(drawn)
    return { runId: row.piece.runId, seqs: seqsOfPiece(row.piece) }
  }

  /** The first piece from there on that can take the focus: one that is joined into another has no box. */
  function focusFrom(start: number, step: 1 | -1, isWanted: (row: Row) => boolean): PieceAddress | undefined {
    const rows = threadWindow.rows()
    for (let index = start; index >= 0 && index < rows.length; index += step) {
      const row = rows[index]
      const found = row !== undefined && isWanted(row) ? focusRow(index) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  return {
    focusPiece(step) {
      const current = rowAt(document.activeElement)
      return focusFrom(current === -1 ? rowOnScreen(step) : current + step, step, () => true)
    },
    focusTurn(step) {
      const rows = threadWindow.rows()
      const current = rowAt(document.activeElement)
      const from = current === -1 ? rowOnScreen(1) : current
      const { turn } = rows[from] ?? {}
      const isFirst = (row: Row) => row.turn.pieces[0] === row.piece && (row.turn !== turn || step === -1)
      // Backward: the beginning of this turn comes before that of the one above.
      return focusFrom(step === -1 ? from - 1 : from, step, isFirst)
    },
    focusEntry: (runId, seq) => focusRow(rowOfEntry(threadWindow.rows(), runId, seq)),
    focused() {
      const piece = threadWindow.rows()[rowAt(document.activeElement)]?.piece
      return piece === undefined ? undefined : { runId: piece.runId, seqs: seqsOfPiece(piece) }
    },
    fold() {
      const row = threadWindow.rows()[rowAt(document.activeElement)]
      const trigger = row && elementOf(row)?.querySelector<HTMLElement>(TRIGGER)
      trigger?.click()
      return trigger !== null && trigger !== undefined
    },
    toEnd,
  }
}

/** What opens a piece. */
const TRIGGER = ':scope > .mr-card > button[aria-expanded]'

/** Its trigger takes the focus, or its question; a text has none, and is focusable only until it loses the focus. */
function focusPieceElement(piece: HTMLElement): void {
  const own = piece.querySelector<HTMLElement>(`${TRIGGER}, :scope > .mr-asking`)
  if (own === null) {
    piece.tabIndex = -1
    piece.addEventListener('blur', () => piece.removeAttribute('tabindex'), { once: true })
  }
  const target = own ?? piece
  target.focus({ preventScroll: true, ...({ focusVisible: true } as FocusOptions) })
}

/** Its beginning is on the screen, and so is its end if there is room for both. */
function isInView(element: HTMLElement, box: HTMLElement | null): boolean {
  if (box === null) return false
  const [piece, frame] = [element.getBoundingClientRect(), box.getBoundingClientRect()]
  const end = Math.min(piece.bottom, piece.top + frame.height)
  return piece.height > 0 && piece.top >= frame.top && end <= frame.bottom
}
