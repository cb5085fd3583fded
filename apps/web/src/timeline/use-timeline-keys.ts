import type { Span } from '@millrace/core/spans'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { isWriting } from '../focus.ts'
import { type TimeWindow, zoomed } from './axis.ts'
import { endOf } from './row-times.ts'
import type { TimelineRow } from './rows.ts'

interface TimelineKeys {
  readonly rows: readonly TimelineRow[]
  readonly current: number
  readonly window: TimeWindow
  readonly whole: TimeWindow
  readonly canZoom: boolean
  readonly choose: (row: number) => void
  readonly fold: (row: number) => void
  readonly onShow: (span: Span) => void
  readonly onWindow: (window: TimeWindow | undefined) => void
  readonly onPath: () => void
}

const PAGE = 10

/** The keys of the rows, for the grid, and those of the whole view: `c`, `+`, `−` and `0`. */
export function useTimelineKeys(keys: TimelineKeys): (event: KeyboardEvent) => void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !event.defaultPrevented
      if (!isPlain || isWriting(event.target)) return
      const act = viewActs[event.key]
      if (act === undefined || !latest.current.canZoom) return
      event.preventDefault()
      act(latest.current)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (event) => {
    const act = rowActs[event.key]
    if (act === undefined || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    act(keys)
  }
}

type Act = (keys: TimelineKeys) => void

const zoom =
  (direction: 'in' | 'out'): Act =>
  ({ rows, current, window, whole, onWindow }) => {
    const span = rows[current]?.node.span
    const around = span === undefined ? undefined : (span.startedAt + endOf(span)) / 2
    const next = zoomed(window, whole, direction, around)
    onWindow(next.to - next.from >= whole.to - whole.from ? undefined : next)
  }

const viewActs: { readonly [key: string]: Act } = {
  c: ({ onPath }) => onPath(),
  '+': zoom('in'),
  '=': zoom('in'),
  '-': zoom('out'),
  '−': zoom('out'),
  '0': ({ onWindow }) => onWindow(undefined),
}

const move =
  (by: number): Act =>
  ({ rows, current, choose }) =>
    choose(current === -1 ? 0 : Math.max(0, Math.min(rows.length - 1, current + by)))

const rowActs: { readonly [key: string]: Act } = {
  ArrowDown: move(1),
  ArrowUp: move(-1),
  PageDown: move(PAGE),
  PageUp: move(-PAGE),
  Home: ({ choose }) => choose(0),
  End: ({ rows, choose }) => choose(rows.length - 1),
  ArrowRight({ rows, current, choose, fold }) {
    const row = rows[current]
    if (row?.isOpen === false) fold(current)
    else if (row?.isOpen === true) choose(current + 1)
  },
  ArrowLeft({ rows, current, choose, fold }) {
    const row = rows[current]
    if (row === undefined) return
    if (row.isOpen === true) fold(current)
    else
      choose(
        Math.max(
          0,
          rows.slice(0, current).findLastIndex(({ level }) => level < row.level),
        ),
      )
  },
  Enter({ rows, current, onShow, fold }) {
    const { node, isOpen } = rows[current] ?? {}
    if (node?.span !== undefined) onShow(node.span)
    else if (isOpen !== undefined) fold(current)
  },
}
