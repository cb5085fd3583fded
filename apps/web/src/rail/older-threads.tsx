import { useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'

/** Before its end comes into view by so many pixels, the list asks for the next page. */
const AHEAD = 600

/**
 * The end of a list that has older threads. It loads the next page by itself when it is scrolled near; it is a button, so
 * that it can be reached and pressed without scrolling, and then the focus goes to the first thread that came.
 */
export function OlderThreads() {
  const { threadList } = useApp()
  const button = useRef<HTMLButtonElement>(null)
  const [isLoading, setIsLoading] = useState(false)
  useEffect(() => {
    const end = button.current
    const scroller = end?.closest('.rail-list')
    if (end === null || scroller === undefined) return
    const load = () => {
      setIsLoading(true)
      void threadList.more().finally(() => setIsLoading(false))
    }
    // A page that does not fill the list leaves the end in view: it is looked at again after each one.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && !isLoading && load(), {
      root: scroller,
      rootMargin: `${AHEAD}px`,
    })
    observer.observe(end)
    return () => observer.disconnect()
  }, [threadList, isLoading])
  const press = async () => {
    const list = button.current?.closest('.rail-list')
    const rows = () => list?.querySelectorAll<HTMLElement>('.thread-row') ?? []
    const count = rows().length
    await threadList.more()
    rows()[count]?.focus()
  }
  return (
    <button ref={button} type="button" className="mr-button button quiet older" onClick={press}>
      {isLoading ? 'Reading older threads…' : 'Older threads'}
    </button>
  )
}
