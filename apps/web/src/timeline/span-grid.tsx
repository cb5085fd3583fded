import { type ReactNode, type RefObject, useLayoutEffect, useMemo } from 'react'
import { GridPart } from '../grid-part.tsx'
import { useRowsInView } from '../work/rows-in-view.ts'
import { topsOf } from '../work/windowed.tsx'
import { percentAt, type Tick, type TimeWindow } from './axis.ts'
import type { PathLines, TimelineRow } from './rows.ts'
import { rowId, SpanRow } from './span-row.tsx'

interface SpanGridProps {
  readonly rows: readonly TimelineRow[]
  /** The row whose details are shown; -1: none. */
  readonly current: number
  readonly window: TimeWindow
  readonly ticks: readonly Tick[]
  /** Absent: the run has no times. */
  readonly wall: number | undefined
  /** Absent: the path is not drawn. */
  readonly path: PathLines | undefined
  /** The spans on the path; absent: it is not drawn, and no row is faded. */
  readonly onPath: ReadonlySet<number> | undefined
  readonly rowHeight: number
  readonly onChoose: (row: number) => void
  readonly onFold: (row: number) => void
  /** The box that scrolls: the keys of the rows act inside of it. */
  readonly box: RefObject<HTMLDivElement | null>
}

/** The height of the axis, which stays above the rows. */
const AXIS = 30

/** The spans as rows below one axis of time. Only the rows near the visible ones are drawn. */
export function SpanGrid(props: SpanGridProps) {
  const { rows, current, window, ticks, path, rowHeight, box } = props
  const tops = useMemo(() => topsOf(rows.length, () => rowHeight), [rows.length, rowHeight])
  const { first, end, onScroll } = useRowsInView(tops, box)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || current === -1) return
    const top = current * rowHeight
    const visible = element.clientHeight - AXIS
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + visible) element.scrollTop = top + rowHeight - visible
  }, [box, current, rowHeight])
  const isDrawn = current >= first && current < end
  return (
    <GridPart
      ref={box}
      className={`tl-rows${path === undefined ? '' : ' has-path'}`}
      role="treegrid"
      aria-label="Spans"
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      {...(isDrawn && { 'aria-activedescendant': rowId(current) })}
      onScroll={onScroll}
    >
      <Axis ticks={ticks} hasTimes={props.wall !== undefined} />
      <GridPart className="tl-all" role="rowgroup" style={{ height: tops.at(-1) ?? 0 }}>
        <GridLines ticks={ticks} />
        <div className="tl-shown" style={{ transform: `translateY(${tops[first] ?? 0}px)` }}>
          {rows.slice(first, end).map((row, index) => (
            <SpanRow
              key={row.node.id}
              row={row}
              index={first + index}
              window={window}
              wall={props.wall}
              isCurrent={first + index === current}
              isOnPath={props.onPath?.has(first + index) ?? true}
              stretches={path?.stretches.get(first + index) ?? NONE}
              onChoose={props.onChoose}
              onFold={props.onFold}
            />
          ))}
          {path !== undefined && (
            <PathSteps path={path} first={first} end={end} window={window} rowHeight={rowHeight} />
          )}
        </div>
      </GridPart>
    </GridPart>
  )
}

const NONE: readonly never[] = []

function Axis({ ticks, hasTimes }: { readonly ticks: readonly Tick[]; readonly hasTimes: boolean }) {
  const header = (name: string, label: string, more?: ReactNode) => (
    <GridPart className={name} role="columnheader">
      {label}
      {more}
    </GridPart>
  )
  return (
    <GridPart className="tl-axis" role="row" aria-rowindex={1}>
      {header('tl-name', 'Span')}
      {header('tl-number tl-tokens', 'In → out')}
      {header('tl-number tl-cost', 'Cost')}
      {header(
        'tl-time',
        '',
        <>
          <span className="unseen">Time</span>
          {hasTimes && (
            <span className="tl-plot" aria-hidden="true">
              {ticks.map(({ after, percent, text }) => (
                <span
                  key={after}
                  className={percent === 0 ? 'tl-tick is-first' : 'tl-tick'}
                  style={{ left: `${percent}%` }}
                >
                  {text}
                </span>
              ))}
            </span>
          )}
        </>,
      )}
    </GridPart>
  )
}

/** The ticks, through all rows. */
export function GridLines({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <div className="tl-lines" aria-hidden="true">
      <div className="tl-plot">
        {ticks.map(({ after, percent }) => (
          <i key={after} style={{ left: `${percent}%` }} />
        ))}
      </div>
    </div>
  )
}

interface PathStepsProps {
  readonly path: PathLines
  readonly first: number
  readonly end: number
  readonly window: TimeWindow
  readonly rowHeight: number
}

/** From below the bars of a row to below those of the next one on the path. */
function PathSteps({ path, first, end, window, rowHeight }: PathStepsProps) {
  const below = (row: number) => (row - first + 1) * rowHeight - PATH_ABOVE
  const visible = path.steps.filter(
    ({ at, fromRow, toRow }) =>
      Math.max(fromRow, toRow) >= first && Math.min(fromRow, toRow) < end && window.from <= at && at <= window.to,
  )
  return (
    <div className="tl-steps" aria-hidden="true">
      <div className="tl-plot">
        {visible.map(({ at, fromRow, toRow }) => {
          const [top, bottom] = [below(Math.min(fromRow, toRow)), below(Math.max(fromRow, toRow))]
          return (
            <i
              key={`${at} ${fromRow} ${toRow}`}
              style={{ left: `${percentAt(window, at).toFixed(3)}%`, top, height: bottom - top }}
            />
          )
        })}
      </div>
    </div>
  )
}

/** The path is so far above the end of a row. */
const PATH_ABOVE = 4
