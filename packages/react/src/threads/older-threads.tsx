import { useEffect, useRef, useState } from 'react'
import { useViewContext } from '../view-context.ts'
import type { ThreadListStore } from './thread-list-store.ts'

/** The list asks for the next page when its end is this many pixels from the view. */
const AHEAD = 600

interface OlderThreadsProps {
  readonly store: ThreadListStore
  readonly hasFailed: boolean
}

/**
 * The end of a list that has older threads. It loads the next page by itself when it is scrolled near. It is a button, so
 * that it can be pressed without scrolling; then the focus moves to the first new thread.
 */
export function OlderThreads({ store, hasFailed }: OlderThreadsProps) {
  const { labels } = useViewContext()
  const button = useRef<HTMLButtonElement>(null)
  const [isLoading, setIsLoading] = useState(false)
  useEffect(() => {
    const end = button.current
    const scroller = end?.closest('.mr-thread-list')
    // A server that refuses is asked again when the list has been read, not in a circle.
    if (end === null || scroller === undefined || hasFailed) return
    const load = () => {
      setIsLoading(true)
      void store.more().finally(() => setIsLoading(false))
    }
    // A page that does not fill the list leaves the end in view: the observer is recreated after each page.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && !isLoading && load(), {
      root: scroller,
      rootMargin: `${AHEAD}px`,
    })
    observer.observe(end)
    return () => observer.disconnect()
  }, [store, isLoading, hasFailed])
  const press = async () => {
    const list = button.current?.closest('.mr-thread-list')
    const rows = () => list?.querySelectorAll<HTMLElement>('.mr-thread-row') ?? []
    const count = rows().length
    await store.more()
    rows()[count]?.focus()
  }
  return (
    <button ref={button} type="button" className="mr-button mr-older" onClick={press}>
      {isLoading ? labels.loadingOlder : labels.olderThreads}
    </button>
  )
}
