import type { ChatEvent } from '@millrace/core/fold'
import { type RefObject, useEffect, useState } from 'react'
import { rowOfEntry } from '../window/rows.ts'
import type { ThreadWindow } from '../window/thread-window.ts'

interface Entry {
  readonly runId: string
  readonly seq: number
}

interface IsAbove {
  readonly scroller: RefObject<HTMLElement | null>
  readonly threadWindow: ThreadWindow
  /** What changes the page. */
  readonly events: readonly ChatEvent[]
  /** The entry whose piece is looked for; undefined: there is none. */
  readonly entry: Entry | undefined
}

/** Whether the piece that holds an entry is wholly above the screen. */
export function useIsAbove({ scroller, threadWindow, events, entry }: IsAbove): boolean {
  const [isAbove, setIsAbove] = useState(false)
  const { runId, seq } = entry ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: new entries move what is on the screen
  useEffect(() => {
    const box = scroller.current
    if (box === null || runId === undefined || seq === undefined) {
      setIsAbove(false)
      return
    }
    let frame = 0
    const look = () => {
      frame = 0
      setIsAbove(isAboveScreen(box, threadWindow, { runId, seq }))
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(look)
    }
    onScroll()
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      box.removeEventListener('scroll', onScroll)
    }
  }, [scroller, threadWindow, runId, seq, events])
  return isAbove
}

function isAboveScreen(box: HTMLElement, threadWindow: ThreadWindow, { runId, seq }: Entry): boolean {
  const rows = threadWindow.rows()
  const wanted = rowOfEntry(rows, runId, seq)
  if (wanted === -1) return false
  const top = box.getBoundingClientRect().top
  for (const element of box.querySelectorAll<HTMLElement>('.mr-piece[data-run]')) {
    const [first = -1] = (element.dataset.seqs ?? '').split('-').map(Number)
    const index = rowOfEntry(rows, element.dataset.run ?? '', first)
    if (index === wanted) return element.getBoundingClientRect().bottom < top + 1
    // Pieces are drawn in order: the wanted one is not in the page, and would stand before this one.
    if (index > wanted) return true
  }
  return false
}
