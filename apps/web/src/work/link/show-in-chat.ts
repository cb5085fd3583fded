import { usePositionStore } from '../../position/position-context.ts'
import type { Selection } from '../../position/position-store.ts'
import { revealIn } from '../scroll.ts'
import { useWork } from '../work-context.ts'
import { pieceAt } from './piece-at.ts'

/** Selects a piece and scrolls the chat to it; on a narrow screen the chat takes the place of the panes. */
export function useShowInChat(): (selection: Selection) => void {
  const store = usePositionStore()
  const { onReveal } = useWork()
  return (selection) => {
    store.select(selection)
    if (matchMedia('(max-width: 719px)').matches) store.openPane(undefined)
    // After the chat has been drawn.
    requestAnimationFrame(() => revealPiece(document, selection, onReveal))
  }
}

/** Scrolls the chat so far that a piece is in view. A piece that is not in the page is left to the thread, which can draw it. */
export function revealPiece(around: ParentNode, piece: Selection, onReveal: (piece: Selection) => void): void {
  const thread = around.querySelector('.mr-thread-scroll')
  if (thread === null) return
  const drawn = pieceAt(thread, piece.runId, piece.seqs[0])
  if (drawn === undefined) onReveal(piece)
  else revealIn(thread, drawn)
}
