import type { ChatEvent } from '@millrace/core/fold/shapes'
import { type RefObject, useEffect, useRef } from 'react'
import { placeOf } from './place.ts'

interface DeepLink {
  readonly chatEvents: readonly ChatEvent[]
  readonly content: RefObject<HTMLElement | null>
  readonly runId: string | undefined
  readonly seq: number | undefined
  /** Called before the thread is moved to the place. */
  readonly onFound: () => void
}

/** Brings the entry of the address into view, once, as soon as the log has come so far. */
export function useDeepLink({ chatEvents, content, runId, seq, onFound }: DeepLink): void {
  const done = useRef<string>(undefined)
  useEffect(() => {
    const key = `${runId ?? ''}#${seq ?? ''}`
    if (seq === undefined || done.current === key) return
    const place = placeOf(chatEvents, { runId, seq })
    const article = place === undefined ? undefined : content.current?.querySelectorAll('article.mr-event')[place.event]
    if (article === undefined) return
    done.current = key
    onFound()
    show(pieceOf(article, seq) ?? article)
  }, [chatEvents, content, runId, seq, onFound])
}

/** The innermost piece that says that it holds the entry. */
function pieceOf(article: Element, seq: number): Element | undefined {
  return [...article.querySelectorAll('[data-seqs]')].findLast((piece) => {
    const [first = Number.NaN, last = Number.NaN] = (piece.getAttribute('data-seqs') ?? '').split('-').map(Number)
    return first <= seq && seq <= last
  })
}

const SHOWN_MS = 2_400

function show(target: Element): void {
  for (const closed of target.querySelectorAll<HTMLElement>(':scope > button[aria-expanded="false"]')) closed.click()
  target.scrollIntoView({ block: 'center' })
  target.classList.add('linked')
  setTimeout(() => target.classList.remove('linked'), SHOWN_MS)
}
