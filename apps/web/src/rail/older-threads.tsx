import { useStore } from '@millrace/react'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'

/** The list asks for the next page when its end is this many pixels from the view. */
const AHEAD = 600

/**
 * The end of a list that has older threads. It loads the next page by itself when it is scrolled near. It is a button, so
 * that it can be pressed without scrolling; then the focus moves to the first new thread.
 */
export function OlderThreads() {
  const { threadList } = useApp()
  const { state } = useStore(threadList)
  const button = useRef<HTMLButtonElement>(null)
  const [isLoading, setIsLoading] = useState(false)
  useEffect(() => {
    const end = button.current
    const scroller = end?.closest('.rail-list')
    // A server that refuses is asked again when the list has been read, not in a circle.
    if (end === null || scroller === undefined || state === 'failed') return
    const load = () => {
      setIsLoading(true)
      void threadList.more().finally(() => setIsLoading(false))
    }
    // A page that does not fill the list leaves the end in view: the observer is recreated after each page.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && !isLoading && load(), {
      root: scroller,
      rootMargin: `${AHEAD}px`,
    })
    observer.observe(end)
    return () => observer.disconnect()
  }, [threadList, isLoading, state])
  const press = async () => {
    const list = button.current?.closest('.rail-list')
    const rows = () => list?.querySelectorAll<HTMLElement>('.thread-row') ?? []
    const count = rows().length
    await threadList.more()
    rows()[count]?.focus()
  }
  return (
    <button ref={button} type="button" className="mr-button button quiet older" onClick={press}>
      {isLoading ? 'Loading older threads…' : 'Older threads'}
    </button>
  )
}
