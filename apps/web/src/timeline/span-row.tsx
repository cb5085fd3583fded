import type { UsageCounts } from '@millrace/core/events'
import { type CSSProperties, memo } from 'react'
import { GridPart } from '../grid-part.tsx'
import { Icon } from '../icon.tsx'
import { costText, countText, spanText } from '../words/numbers.ts'
import { percentAt, type TimeWindow } from './axis.ts'
import { type Bar, barsOf, labelLeft } from './bars.ts'
import { timeCovered } from './row-times.ts'
import type { PathStretch, TimelineRow } from './rows.ts'
import { labelOfSpan } from './span-words.ts'

interface SpanRowProps {
  readonly row: TimelineRow
  /** Its position among all rows, counted from 0. */
  readonly index: number
  readonly window: TimeWindow
  /** Absent: the run has no times. */
  readonly wall: number | undefined
  readonly isCurrent: boolean
  readonly isOnPath: boolean
  readonly stretches: readonly PathStretch[]
  readonly onChoose: (index: number) => void
  readonly onFold: (index: number) => void
}

/** One row: what it was, what it used, and when. The keys act on the grid. */
export const SpanRow = memo(function SpanRow(props: SpanRowProps) {
  const { row, index, isCurrent, isOnPath, wall, onChoose, onFold } = props
  const { node, level, isOpen } = row
  return (
    <GridPart
      className={`tl-row tone-${node.tone}${isOnPath ? '' : ' is-off'}`}
      role="row"
      id={rowId(index)}
      aria-level={level}
      aria-rowindex={index + 2}
      aria-selected={isCurrent}
      {...(isOpen !== undefined && { 'aria-expanded': isOpen })}
      style={{ '--level': level - 1 } as CSSProperties}
      onClick={() => onChoose(index)}
    >
      <GridPart className="tl-name" role="gridcell">
        {isOpen === undefined ? <span className="tl-no-fold" /> : <Fold isOpen={isOpen} onFold={() => onFold(index)} />}
        <Icon name={node.glyph} />
        <b>{node.name}</b>
        {node.note !== '' && <span className="tl-note">{node.note}</span>}
      </GridPart>
      <Numbers {...(node.usage !== undefined && { usage: node.usage })} />
      <GridPart className="tl-time" role="gridcell">
        {wall !== undefined && <Times {...props} wall={wall} />}
      </GridPart>
    </GridPart>
  )
})

export const rowId = (index: number): string => `span-row-${index}`

/** A shortcut for the pointer: the grid folds with the arrow keys, and says which rows are folded. */
function Fold({ isOpen, onFold }: { readonly isOpen: boolean; readonly onFold: () => void }) {
  return (
    <span
      className={`tl-fold${isOpen ? ' is-open' : ''}`}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation()
        onFold()
      }}
    >
      <Icon name="chevron" />
    </span>
  )
}

function Numbers({ usage }: { readonly usage?: UsageCounts }) {
  const { inputTokens, outputTokens, costUsd } = usage ?? {}
  const count = (tokens: number | undefined) => (tokens === undefined ? '–' : countText(tokens))
  const hasTokens = inputTokens !== undefined || outputTokens !== undefined
  return (
    <>
      <GridPart className="tl-number tl-tokens" role="gridcell">
        {hasTokens && `${count(inputTokens)} → ${count(outputTokens)}`}
      </GridPart>
      <GridPart className="tl-number tl-cost" role="gridcell">
        {costUsd !== undefined && (costUsd < 1 ? smallCostText(costUsd) : costText(costUsd))}
      </GridPart>
    </>
  )
}

/** A tenth of a cent matters in one call. */
const smallCostText = (dollars: number) => (dollars >= 0.001 ? `$${dollars.toFixed(3)}` : costText(dollars))

function Times({ row: { node }, window, stretches, isOnPath, wall }: SpanRowProps & { readonly wall: number }) {
  if (node.id === '') return <Whole wall={wall} />
  const bars = barsOf(node.spans, window, node.span?.kind === 'subagent' && node.children.length > 0)
  const left = labelLeft(bars)
  const label = node.span === undefined ? spanText(timeCovered(node.spans)) : labelOfSpan(node.span)
  return (
    <div className="tl-plot">
      {bars.map((bar, index) => (
        <BarView key={index} {...bar} />
      ))}
      {stretches.map(({ from, to }) => (
        <PathStretchView key={from} left={percentAt(window, from)} right={percentAt(window, to)} />
      ))}
      <em className={left === undefined ? 'unseen' : 'tl-label'} style={{ left: `${(left ?? 0).toFixed(3)}%` }}>
        {label}
        {isOnPath && <span className="unseen">, on the critical path</span>}
      </em>
    </div>
  )
}

function Whole({ wall }: { readonly wall: number }) {
  return (
    <div className="tl-plot">
      <i className="tl-whole" />
      <em className="tl-label" style={{ left: '100%' }}>
        {spanText(wall)}
      </em>
    </div>
  )
}

function BarView({ left, width, parts, isLive }: Bar) {
  return (
    <span
      className={`tl-bar${isLive ? ' is-live' : ''}`}
      aria-hidden="true"
      style={{ left: `${left.toFixed(3)}%`, width: `${width.toFixed(3)}%` }}
    >
      {parts.map(({ share, fill, tone }, index) => (
        <i
          key={index}
          className={`fill-${fill} tone-${tone}`}
          style={{ flexGrow: Math.max(0.001, share).toFixed(3) }}
        />
      ))}
    </span>
  )
}

/** Clipped to the window. */
function PathStretchView({ left, right }: { readonly left: number; readonly right: number }) {
  const [from, to] = [Math.max(0, left), Math.min(100, right)]
  if (from >= to) return null
  return <i className="tl-path" style={{ left: `${from.toFixed(3)}%`, width: `${(to - from).toFixed(3)}%` }} />
}
