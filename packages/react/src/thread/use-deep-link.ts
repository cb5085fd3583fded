import type { ChatEvent } from '@millrace/core/fold'
import { type RefObject, useEffect, useRef } from 'react'
import type { ThreadWindow } from '../window/thread-window.ts'
import { locateEntry } from './entry-location.ts'

interface DeepLink {
  readonly chatEvents: readonly ChatEvent[]
  readonly scroller: RefObject<HTMLElement | null>
  readonly content: RefObject<HTMLElement | null>
  readonly threadWindow: ThreadWindow
  readonly runId: string | undefined
  readonly seq: number | undefined
  /** Called before the thread is scrolled to the entry. */
  readonly onFound: () => void
}

/** Scrolls to the entry of the address, once, as soon as the log has reached it. */
export function useDeepLink({ chatEvents, scroller, content, threadWindow, runId, seq, onFound }: DeepLink): void {
  const done = useRef<string>(undefined)
  useEffect(() => {
    const key = seq === undefined ? undefined : `${runId ?? ''}#${seq}`
    if (key === undefined) done.current = undefined
    if (seq === undefined || done.current === key) return
    const found = locateEntry(chatEvents, { runId, seq })
    const thread = content.current
    if (found === undefined || thread === null) return
    done.current = key
    void reveal(thread, threadWindow, chatEvents[found.event]?.runId ?? '', seq).then((target) => {
      // Another link may have been followed meanwhile.
      if (done.current !== key || target === undefined) return
      onFound()
      if (scroller.current !== null) show(target, scroller.current)
    })
  }, [chatEvents, scroller, content, threadWindow, runId, seq, onFound])
}

/**
 * The piece that holds the entry: of several, the one with the fewest entries, which is the innermost. An entry that draws
 * nothing belongs to what was drawn before it.
 */
function pieceOf(thread: Element, runId: string, seq: number): Element | undefined {
  const ofRun = [...thread.querySelectorAll('[data-run]')].filter((piece) => piece.getAttribute('data-run') === runId)
  const pieces = ofRun.flatMap((piece) => [piece, ...piece.querySelectorAll('[data-seqs]')]).map(withSeqs)
  const holding = pieces.filter(({ first, last }) => first <= seq && seq <= last)
  const narrowest = holding.reduce<Located | undefined>(
    (best, each) => (best === undefined || each.last - each.first <= best.last - best.first ? each : best),
    undefined,
  )
  return (narrowest ?? pieces.findLast(({ first }) => first <= seq))?.piece
}

interface Located {
  readonly piece: Element
  readonly first: number
  readonly last: number
}

function withSeqs(piece: Element): Located {
  const [first = Number.NaN, last = Number.NaN] = (piece.getAttribute('data-seqs') ?? '').split('-').map(Number)
  return { piece, first, last }
}

/** Cards are not nested deeper than this. */
const DEEPEST = 8

const nextFrame = () => new Promise(requestAnimationFrame)

/** Draws the piece that holds the entry, and opens the cards around the entry: a closed card has no content to search. */
async function reveal(
  thread: Element,
  threadWindow: ThreadWindow,
  runId: string,
  seq: number,
): Promise<Element | undefined> {
  // Turns get their height when they are first painted: a position measured before is not final.
  await nextFrame()
  threadWindow.reveal(runId, seq)
  await nextFrame()
  let piece = pieceOf(thread, runId, seq)
  for (let depth = 0; depth < DEEPEST && piece !== undefined; depth++) {
    const closed = piece.querySelector<HTMLElement>(':scope > .mr-card > button[aria-expanded="false"]')
    if (closed === null) break
    closed.click()
    await nextFrame()
    piece = pieceOf(thread, runId, seq)
  }
  return piece
}

const SHOWN_MS = 2_400

/** Scrolls only the thread: `scrollIntoView` would also scroll the document, and with it the whole app. */
function show(target: Element, scroller: Element): void {
  const [piece, frame] = [target.getBoundingClientRect(), scroller.getBoundingClientRect()]
  scroller.scrollTop += piece.top - frame.top - Math.max(0, (frame.height - piece.height) / 2)
  target.classList.add('mr-linked')
  setTimeout(() => target.classList.remove('mr-linked'), SHOWN_MS)
}
