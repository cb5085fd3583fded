import type { ChatEvent } from '@millrace/core/fold'
import { type RefObject, useEffect, useRef } from 'react'
import { locateEntry } from './entry-location.ts'

interface DeepLink {
  readonly chatEvents: readonly ChatEvent[]
  readonly scroller: RefObject<HTMLElement | null>
  readonly content: RefObject<HTMLElement | null>
  readonly runId: string | undefined
  readonly seq: number | undefined
  /** Called before the thread is scrolled to the entry. */
  readonly onFound: () => void
}

/** Scrolls to the entry of the address, once, as soon as the log has reached it. */
export function useDeepLink({ chatEvents, scroller, content, runId, seq, onFound }: DeepLink): void {
  const done = useRef<string>(undefined)
  useEffect(() => {
    const key = seq === undefined ? undefined : `${runId ?? ''}#${seq}`
    if (key === undefined) done.current = undefined
    if (seq === undefined || done.current === key) return
    const found = locateEntry(chatEvents, { runId, seq })
    const article = found === undefined ? undefined : content.current?.querySelectorAll('article.mr-event')[found.event]
    if (article === undefined) return
    done.current = key
    void reveal(article, seq).then((target) => {
      // Another link may have been followed meanwhile.
      if (done.current !== key) return
      onFound()
      if (scroller.current !== null) show(target, scroller.current)
    })
  }, [chatEvents, scroller, content, runId, seq, onFound])
}

/** The innermost piece that holds the entry. An entry that draws nothing belongs to what was drawn before it. */
function pieceOf(article: Element, seq: number): Element | undefined {
  const pieces = [...article.querySelectorAll('[data-seqs]')].map((piece) => {
    const [first = Number.NaN, last = Number.NaN] = (piece.getAttribute('data-seqs') ?? '').split('-').map(Number)
    return { piece, first, last }
  })
  const holding = pieces.findLast(({ first, last }) => first <= seq && seq <= last)
  return (holding ?? pieces.findLast(({ first }) => first <= seq))?.piece
}

/** Cards are not nested deeper than this. */
const DEEPEST = 8

const nextFrame = () => new Promise(requestAnimationFrame)

/** Opens the cards around the entry: a closed card has no content to search. */
async function reveal(article: Element, seq: number): Promise<Element> {
  // Turns get their height when they are first painted: a position measured before is not final.
  await nextFrame()
  await nextFrame()
  let piece = pieceOf(article, seq)
  for (let depth = 0; depth < DEEPEST && piece !== undefined; depth++) {
    const closed = piece.querySelector<HTMLElement>(':scope > .mr-card > button[aria-expanded="false"]')
    if (closed === null) break
    closed.click()
    await nextFrame()
    piece = pieceOf(article, seq)
  }
  return piece ?? article
}

const SHOWN_MS = 2_400

/** Scrolls only the thread: `scrollIntoView` would also scroll the document, and with it the whole app. */
function show(target: Element, scroller: Element): void {
  const [piece, frame] = [target.getBoundingClientRect(), scroller.getBoundingClientRect()]
  scroller.scrollTop += piece.top - frame.top - Math.max(0, (frame.height - piece.height) / 2)
  target.classList.add('mr-linked')
  setTimeout(() => target.classList.remove('mr-linked'), SHOWN_MS)
}
