import type { ChatEvent } from '@millrace/core/fold'
import { openQuestions, type PieceAddress, type ThreadHandle } from '@millrace/react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'
import { useCommands } from '../keys/keys-context.tsx'
import type { PositionStore } from '../position/position-store.ts'
import { selectionAt } from '../position/selected-segment.ts'

interface PieceCommands {
  readonly threadId: string
  readonly chatEvents: readonly ChatEvent[]
  readonly position: PositionStore
}

/** What the keys of the chat do with its pieces. `notice` is what was done, in words. */
export function usePieceCommands({ threadId, chatEvents, position }: PieceCommands) {
  const { router } = useApp()
  const handle = useRef<ThreadHandle>(null)
  const [notice, setNotice] = useNotice()

  /** While panes are open, the piece that has the focus is the one that they show. */
  const follow = (piece: PieceAddress | undefined) => {
    if (piece === undefined) return false
    if (position.snapshot().pane !== undefined) position.select(selectionAt(chatEvents, piece))
    return true
  }
  const current = () => handle.current?.focused() ?? position.snapshot().selection
  const copy = async (piece: PieceAddress | undefined) => {
    const entry = piece === undefined ? {} : { runId: piece.runId, seq: piece.seqs[0] }
    const address = new URL(router.hrefOf({ name: 'thread', threadId, ...entry }), location.href)
    try {
      await navigator.clipboard.writeText(address.href)
      setNotice(piece === undefined ? 'Link to the thread copied' : `Link to entry ${piece.seqs[0]} copied`)
    } catch {
      setNotice(`The browser does not allow copying: ${address.href}`)
    }
  }
  const asking = chatEvents.findLast((event) => openQuestions([event]).length > 0)
  useCommands({
    'next-piece': () => follow(handle.current?.focusPiece(1)),
    'previous-piece': () => follow(handle.current?.focusPiece(-1)),
    'next-turn': () => follow(handle.current?.focusTurn(1)),
    'previous-turn': () => follow(handle.current?.focusTurn(-1)),
    fold: () => handle.current?.fold() ?? false,
    latest: () => !isScrollingItself(document.activeElement) && handle.current?.toEnd(),
    question: asking && (() => focusQuestion(handle, asking)),
    lens() {
      const piece = current()
      if (piece === undefined) return false
      position.select(selectionAt(chatEvents, piece))
      position.openPane('lens')
      return true
    },
    'copy-link': () => copy(current()),
    'copy-thread-link': () => copy(undefined),
  })
  return { handle, notice }
}

function focusQuestion(handle: RefObject<ThreadHandle | null>, asking: ChatEvent): boolean {
  const seq = openQuestions([asking]).at(-1)?.seqs[0] ?? asking.seqs[1]
  return handle.current?.focusEntry(asking.runId, seq) !== undefined
}

/** A box inside of a piece, such as a long output, has the key for its own end. */
function isScrollingItself(element: Element | null): boolean {
  if (element === null || element.closest('.mr-piece') === null) return false
  return element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).overflowY !== 'visible'
}

const SHOWN_MS = 3_000

/** A sentence that goes by itself. */
function useNotice() {
  const [notice, setNotice] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = useCallback((text: string) => {
    clearTimeout(timer.current)
    setNotice(text)
    timer.current = setTimeout(() => setNotice(''), SHOWN_MS)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return [notice, show] as const
}
