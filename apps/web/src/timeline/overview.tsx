import type { Spans } from '@millrace/core/spans'
import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react'
import { Icon } from '../icon.tsx'
import { clockText } from '../words/numbers.ts'
import { percentAt, type TimeWindow, within } from './axis.ts'
import { endOf } from './row-times.ts'
import { type Tone, toneOf } from './tones.ts'

interface OverviewProps {
  readonly times: Spans
  readonly whole: TimeWindow
  readonly window: TimeWindow
  readonly onWindow: (window: TimeWindow) => void
}

/** How far an arrow key moves an edge, as a part of the whole. */
const STEP = 1 / 100
/** A shorter drag is a click. */
const LEAST_DRAG = 1 / 200

/** All spans of the run in small, and the part of the time that the rows show: drag to choose another. */
export function Overview({ times, whole, window, onWindow }: OverviewProps) {
  const area = useRef<HTMLDivElement>(null)
  const drag = useRef<{ readonly from: number; readonly grip: Grip }>(undefined)
  const span = whole.to - whole.from
  const timeAt = (x: number) => {
    const frame = area.current?.getBoundingClientRect()
    if (frame === undefined || frame.width === 0) return whole.from
    return whole.from + Math.max(0, Math.min(1, (x - frame.left) / frame.width)) * span
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const grip = gripOf(event.target)
    drag.current = { from: timeAt(event.clientX), grip }
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current === undefined) return
    const at = timeAt(event.clientX)
    const { from, grip } = drag.current
    const fixed = grip === 'from' ? window.to : grip === 'to' ? window.from : from
    const next = { from: Math.min(fixed, at), to: Math.max(fixed, at) }
    if (next.to - next.from >= span * LEAST_DRAG) onWindow(next)
  }
  const onPointerUp = () => {
    drag.current = undefined
  }
  return (
    <div className="tl-over">
      <span className="tl-over-words">
        <Icon name="timeline" />
        Drag to zoom
        <span className="tl-over-window">
          {clockText(window.from - whole.from)} – {clockText(window.to - whole.from)}
        </span>
      </span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its edges are sliders, and the keys zoom */}
      <div
        className="tl-mini"
        ref={area}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onDoubleClick={() => onWindow(whole)}
      >
        <Miniature times={times} whole={whole} />
        <div
          className="tl-brush"
          style={{ left: `${percentAt(whole, window.from)}%`, right: `${100 - percentAt(whole, window.to)}%` }}
        >
          {(['from', 'to'] as const).map((edge) => (
            <Edge key={edge} edge={edge} whole={whole} window={window} onWindow={onWindow} />
          ))}
        </div>
      </div>
    </div>
  )
}

type Grip = keyof TimeWindow | undefined

const gripOf = (target: EventTarget) => (target instanceof HTMLElement ? (target.dataset.edge as Grip) : undefined)

interface EdgeProps extends Omit<OverviewProps, 'times'> {
  readonly edge: keyof TimeWindow
}

function Edge({ edge, whole, window, onWindow }: EdgeProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const step = (whole.to - whole.from) * STEP
    const moved = { ...window, [edge]: window[edge] + direction * step }
    if (moved.to - moved.from >= step / 2) onWindow(within(moved, whole))
  }
  const after = window[edge] - whole.from
  return (
    <span
      className="tl-edge"
      data-edge={edge}
      role="slider"
      tabIndex={0}
      aria-label={edge === 'from' ? 'Beginning of what is shown' : 'End of what is shown'}
      aria-valuemin={0}
      aria-valuemax={Math.round(whole.to - whole.from)}
      aria-valuenow={Math.round(after)}
      aria-valuetext={clockText(after)}
      onKeyDown={onKeyDown}
    />
  )
}

/** The height of the drawing, in its own units. */
const HEIGHT = 32
/** More lanes would lie on each other. */
const MOST_LANES = 16

/** One path for each tone: a run of 10,000 spans has as few elements as a short one. */
function Miniature({ times, whole }: Pick<OverviewProps, 'times' | 'whole'>) {
  const paths = useMemo(() => miniaturePaths(times, whole), [times, whole])
  return (
    <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {[...paths].map(([tone, path]) => (
        <path key={tone} className={`tone-${tone}`} d={path} />
      ))}
    </svg>
  )
}

function miniaturePaths({ spans }: Spans, whole: TimeWindow): ReadonlyMap<Tone, string> {
  const paths = new Map<Tone, string>()
  const drawn = spans.filter(({ kind }) => kind !== 'thought')
  const lanes = Math.max(1, Math.min(MOST_LANES, drawn.length))
  for (const [index, span] of drawn.entries()) {
    const lane = drawn.length <= MOST_LANES ? index : Math.floor((index / drawn.length) * lanes)
    const y = 1 + (lane * (HEIGHT - 2)) / lanes
    const [from, to] = [percentAt(whole, span.startedAt) * 10, percentAt(whole, endOf(span)) * 10]
    const line = `M${from.toFixed(1)} ${y.toFixed(1)}h${Math.max(1, to - from).toFixed(1)}v1.4H${from.toFixed(1)}z`
    const tone = toneOf(span)
    paths.set(tone, (paths.get(tone) ?? '') + line)
  }
  return paths
}
