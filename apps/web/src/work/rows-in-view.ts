import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Drawn before the height is known, and beyond both edges. */
const FIRST_HEIGHT = 900
const BEYOND = 400
const STEP = 200

export interface RowsInView {
  readonly first: number
  /** After the last row that is drawn. */
  readonly end: number
  readonly onScroll: () => void
}

/** The rows near the visible ones of a box that scrolls. `tops`: where each row begins, in pixels, and after the last one the whole height. */
export function useRowsInView(
  tops: Float64Array,
  box: RefObject<HTMLDivElement | null>,
  onWidth?: (width: number) => void,
): RowsInView {
  const [edge, setEdge] = useState({ top: 0, height: FIRST_HEIGHT })
  const latestOnWidth = useRef(onWidth)
  latestOnWidth.current = onWidth
  const measure = useCallback(() => {
    if (box.current === null) return
    const { scrollTop, clientHeight, clientWidth } = box.current
    latestOnWidth.current?.(clientWidth)
    // The edges move in steps: most scrolls draw nothing.
    const next = { top: Math.floor(scrollTop / STEP) * STEP, height: clientHeight }
    setEdge((before) => (before.top === next.top && before.height === next.height ? before : next))
  }, [box])
  useLayoutEffect(() => {
    if (box.current === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, measure])
  const total = tops.at(-1) ?? 0
  // The box may have become shorter than where it was scrolled to.
  const top = Math.min(edge.top, Math.max(0, total - edge.height))
  const first = rowAt(tops, top - BEYOND)
  const end = Math.min(tops.length - 1, rowAt(tops, top + edge.height + BEYOND + STEP) + 1)
  return { first, end, onScroll: measure }
}

/** The last row that begins at or above a height. */
function rowAt(tops: Float64Array, height: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((tops[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}
