import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Rows this far outside of the view are drawn, too: a fast scroll finds them there. */
const MARGIN = 400

type Range = readonly [first: number, behind: number]

/** What scrolls around the body of a table. */
export const scrollerOf = (body: HTMLElement | null) => body?.closest<HTMLElement>('.runs-scroll') ?? undefined

/** Which lines of a body are in view, for a scroller that contains more than the body. `rangeOf` counts from the body's top. */
export function useView(body: RefObject<HTMLElement | null>, rangeOf: (from: number, to: number) => Range): Range {
  const [view, setView] = useState<Range>([0, 0])
  const latest = useRef(rangeOf)
  latest.current = rangeOf
  const measure = useRef(() => {})
  useLayoutEffect(() => {
    const rows = body.current
    const frame = scrollerOf(rows)
    if (frame === undefined || rows === null) return
    measure.current = () => {
      const from = frame.getBoundingClientRect().top - rows.getBoundingClientRect().top
      setView((before) => {
        const range = latest.current(from - MARGIN, from + frame.clientHeight + MARGIN)
        return range[0] === before[0] && range[1] === before[1] ? before : range
      })
    }
    const call = () => measure.current()
    const observer = new ResizeObserver(call)
    observer.observe(frame)
    frame.addEventListener('scroll', call, { passive: true })
    return () => {
      observer.disconnect()
      frame.removeEventListener('scroll', call)
    }
  }, [body])
  // The lines may be others after any change of the list.
  useLayoutEffect(() => measure.current())
  return view
}
