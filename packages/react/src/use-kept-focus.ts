import { type FocusEvent, type RefObject, useRef } from 'react'
import { useEffectBeforePaint } from './use-effect-before-paint.ts'

interface FocusHandlers {
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: () => void
}

/**
 * Keeps the focus in a thread when the focused element is removed: a question becomes the card of its answer, neighbours
 * are joined. The focus moves to the piece that now holds the same entry, and not to the next question: the key that
 * answered one question would answer the next.
 */
export function useKeptFocus(thread: RefObject<HTMLElement | null>): FocusHandlers {
  const held = useRef<{ readonly element: Element; readonly run: string; readonly seq: number }>(undefined)
  useEffectBeforePaint(() => {
    if (held.current === undefined || held.current.element.isConnected) return
    const { run, seq } = held.current
    held.current = undefined
    if (document.activeElement !== document.body) return
    const pieces = [...(thread.current?.querySelectorAll('.mr-piece') ?? [])]
    const piece = pieces.findLast((each) => runOf(each) === run && holds(each, seq))
    if (piece instanceof HTMLElement) focusOn(piece)
  })
  return {
    onFocus({ target }) {
      const piece = target.closest('.mr-piece')
      held.current = piece === null ? undefined : { element: target, run: runOf(piece), seq: seqsOf(piece)[0] }
    },
    // React sends no events while it changes the page: a blur means that the user has moved the focus.
    onBlur() {
      held.current = undefined
    },
  }
}

/** Entries have the same numbers in every run. */
const runOf = (piece: Element) => piece.closest('[data-run]')?.getAttribute('data-run') ?? ''

function seqsOf(piece: Element): readonly [first: number, last: number] {
  const [first = 0, last = 0] = (piece.getAttribute('data-seqs') ?? '').split('-').map(Number)
  return [first, last]
}

function holds(piece: Element, seq: number): boolean {
  const [first, last] = seqsOf(piece)
  return first <= seq && seq <= last
}

/** Focuses the piece's trigger. A piece without one is focused itself, and focusable only until it loses the focus. */
function focusOn(piece: HTMLElement): void {
  const trigger = piece.querySelector<HTMLElement>('button, [tabindex="0"]')
  if (trigger === null) {
    piece.tabIndex = -1
    piece.addEventListener('blur', () => piece.removeAttribute('tabindex'), { once: true })
  }
  const target = trigger ?? piece
  target.focus({ preventScroll: true })
}
