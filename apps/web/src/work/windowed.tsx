import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useRowsInView } from './rows-in-view.ts'
import { scrollSmoothly } from './scroll.ts'

interface WindowedProps {
  readonly className: string
  readonly label: string
  /** Where each row begins, in pixels, and after the last one the whole height. */
  readonly tops: Float64Array
  /** Scrolled to when its key changes, unless it is in view. */
  readonly reveal?: Reveal | undefined
  /** The least width of the rows, such as `120ch`. */
  readonly width?: string
  readonly onReaderScroll?: () => void
  /** Called with the width of the box when it changes. */
  readonly onWidth?: (width: number) => void
  readonly children: (first: number, end: number) => ReactNode
}

interface Reveal {
  readonly row: number
  readonly key: string
  /** `end`: the end of the row is kept in view, at once. */
  readonly align?: 'end'
}

/** Rows of known heights in a box that scrolls: only those near the visible ones are drawn. */
export function Windowed(props: WindowedProps) {
  const { className, label, tops, reveal, width, onReaderScroll, onWidth, children } = props
  const box = useRef<HTMLDivElement>(null)
  const { first, end, onScroll } = useRowsInView(tops, box, onWidth)
  const latestTops = useRef(tops)
  latestTops.current = tops
  const { row, key, align } = reveal ?? {}
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || row === undefined || key === undefined) return
    const [top = 0, end = 0] = [latestTops.current[row], latestTops.current[row + 1]]
    if (align === 'end') {
      element.scrollTop = end - element.clientHeight
      return
    }
    const isInView = top >= element.scrollTop && end <= element.scrollTop + element.clientHeight
    if (!isInView) scrollSmoothly(element, top - element.clientHeight / 3)
  }, [box, row, key, align])
  const onKeyDown = (event: KeyboardEvent) => {
    if (/^(?:Arrow(?:Up|Down)|Page|Home|End| )/.test(event.key)) onReaderScroll?.()
  }
  const total = tops.at(-1) ?? 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={box}
      className={`windowed ${className}`}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
      tabIndex={0}
      onScroll={onScroll}
      onWheel={onReaderScroll}
      onTouchMove={onReaderScroll}
      onKeyDown={onKeyDown}
    >
      <div className="windowed-all" style={{ height: total, ...(width !== undefined && { minWidth: width }) }}>
        <div className="windowed-shown" style={{ transform: `translateY(${tops[first] ?? 0}px)` }}>
          {children(first, end)}
        </div>
      </div>
    </div>
  )
}

export function topsOf(count: number, heightOf: (row: number) => number): Float64Array {
  const tops = new Float64Array(count + 1)
  for (let row = 0; row < count; row++) tops[row + 1] = (tops[row] ?? 0) + heightOf(row)
  return tops
}
