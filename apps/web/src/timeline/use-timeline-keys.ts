import type { Span } from '@millrace/core/spans'
import { type RefObject, useRef } from 'react'
import { useCommands } from '../keys/keys-context.tsx'
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
  readonly onLens: (span: Span) => void
  readonly onWindow: (window: TimeWindow | undefined) => void
  readonly onPath: () => void
}

const PAGE = 10

/** The keys of the view, and those of its rows while they have the focus. Returns the box of the rows. */
export function useTimelineKeys(keys: TimelineKeys): RefObject<HTMLDivElement | null> {
  const { rows, current, canZoom, choose, fold, onShow, onLens, onWindow, onPath } = keys
  const box = useRef<HTMLDivElement>(null)
  const span = rows[current]?.node.span
  const zoom = (direction: 'in' | 'out') => () => onWindow(windowAfter(keys, direction))
  const move = (by: number) => choose(current === -1 ? 0 : Math.max(0, Math.min(rows.length - 1, current + by)))
  useCommands({
    ...(canZoom && {
      'critical-path': onPath,
      'zoom-in': zoom('in'),
      'zoom-out': zoom('out'),
      'zoom-all': () => onWindow(undefined),
    }),
    ...(span !== undefined && { lens: () => onLens(span) }),
  })
  useCommands(
    {
      'next-span': () => move(1),
      'previous-span': () => move(-1),
      'next-page': () => move(PAGE),
      'previous-page': () => move(-PAGE),
      'first-row': () => choose(0),
      'last-row': () => choose(rows.length - 1),
      'unfold-span': () => unfold(keys),
      'fold-span': () => foldOrLeave(keys),
      'show-span': () => (span === undefined ? fold(current) : onShow(span)),
    },
    box,
  )
  return box
}

/** Around the middle of the chosen row, if it is in view. */
function windowAfter({ rows, current, window, whole }: TimelineKeys, direction: 'in' | 'out'): TimeWindow | undefined {
  const span = rows[current]?.node.span
  const around = span === undefined ? undefined : (span.startedAt + endOf(span)) / 2
  const next = zoomed(window, whole, direction, around)
  return next.to - next.from >= whole.to - whole.from ? undefined : next
}

/** A folded row is unfolded; of an unfolded one, the first row inside is chosen. */
function unfold({ rows, current, choose, fold }: TimelineKeys): void {
  const row = rows[current]
  if (row?.isOpen === false) fold(current)
  else if (row?.isOpen === true) choose(current + 1)
}

/** An unfolded row is folded; else the row around it is chosen. */
function foldOrLeave({ rows, current, choose, fold }: TimelineKeys): void {
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
}
