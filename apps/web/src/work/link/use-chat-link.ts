import type { ChatEvent } from '@millrace/core/fold'
import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { usePositionStore } from '../../position/position-context.ts'
import type { Position, Selection } from '../../position/position-store.ts'
import { selectionAt } from '../../position/selected-segment.ts'
import { pieceAt } from './piece-at.ts'
import { revealPiece } from './show-in-chat.ts'

interface ChatLink {
  readonly handlers: {
    readonly onClick: (event: MouseEvent) => void
    readonly onPointerOver: (event: PointerEvent) => void
    readonly onPointerLeave: () => void
  }
  /** The piece of which something in the chat is a part. */
  readonly pieceBelow: (target: EventTarget) => Selection | undefined
}

/** Controls of a piece that do something of their own. */
const CONTROLS = 'a, input, textarea, select, label, button:not(.mr-head)'

/**
 * While the panes are open, a click in the chat selects a piece, and the piece that a pane selects or hovers is marked. The
 * chat scrolls to a selected piece only if it is out of view.
 */
export function useChatLink(
  chat: RefObject<HTMLElement | null>,
  chatEvents: readonly ChatEvent[],
  onReveal: (piece: Selection) => void,
): ChatLink {
  const store = usePositionStore()
  const latest = useRef({ chatEvents, onReveal })
  latest.current = { chatEvents, onReveal }
  useLayoutEffect(() => {
    const box = chat.current
    if (box === null) return
    const marks = createMarks(box)
    let before: Position | undefined
    const update = () => {
      const position = store.snapshot()
      marks.draw(shownLinks(position))
      if (before !== undefined && before.selection !== position.selection && position.selection !== undefined)
        if (position.pane !== undefined) revealPiece(box, position.selection, latest.current.onReveal)
      before = position
    }
    update()
    // Pieces are drawn, opened and replaced without any change of the position.
    const observer = new MutationObserver(() => marks.draw(shownLinks(store.snapshot())))
    observer.observe(box, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-seqs'] })
    const leave = store.subscribe(update)
    return () => {
      leave()
      observer.disconnect()
      marks.draw({})
    }
  }, [store, chat])
  useEffect(() => () => store.hover(undefined), [store])

  const pieceBelow = useCallback((target: EventTarget): Selection | undefined => {
    const element = (target as Element).closest('[data-seqs]')
    const runId = element?.closest('[data-run]')?.getAttribute('data-run')
    const [first, last] = (element?.getAttribute('data-seqs') ?? '').split('-').map(Number)
    if (typeof runId !== 'string' || first === undefined || last === undefined) return undefined
    return selectionAt(latest.current.chatEvents, { runId, seqs: [first, last] })
  }, [])
  const isLinked = () => store.snapshot().pane !== undefined
  const handlers: ChatLink['handlers'] = {
    onClick(event) {
      const isControl = (event.target as Element).closest(CONTROLS) !== null
      if (!isLinked() || isControl || getSelection()?.isCollapsed === false) return
      const piece = pieceBelow(event.target)
      if (piece !== undefined && !isSelected(piece, store.snapshot())) store.select(piece)
    },
    onPointerOver(event) {
      if (isLinked()) store.hover(pieceBelow(event.target))
    },
    onPointerLeave: () => store.hover(undefined),
  }
  return { handlers, pieceBelow }
}

/** The first entry of a piece identifies it. What is open of a selected piece stays. */
const isSelected = (piece: Selection, { selection }: Position): boolean =>
  selection?.runId === piece.runId && selection.seqs[0] === piece.seqs[0]

type Linked = { readonly [Kind in 'selected' | 'hovered']?: Selection | undefined }

const shownLinks = ({ pane, selection, hovered }: Position): Linked =>
  pane === undefined ? {} : { selected: selection, hovered }

/** Marks the pieces of the chat with an attribute that React does not know of. */
function createMarks(box: Element) {
  let marked: readonly Element[] = []
  return {
    draw({ selected, hovered }: Linked) {
      const find = (piece: Selection | undefined) =>
        piece === undefined ? undefined : pieceAt(box, piece.runId, piece.seqs[0])
      const [chosen, pointed] = [find(selected), find(hovered)]
      const now = [chosen, pointed].filter((each) => each !== undefined)
      for (const each of marked) if (!now.includes(each)) each.removeAttribute('data-linked')
      pointed?.setAttribute('data-linked', 'hovered')
      chosen?.setAttribute('data-linked', 'selected')
      marked = now
    },
  }
}
