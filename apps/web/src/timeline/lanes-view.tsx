import type { Spans } from '@millrace/core/spans'
import { useMemo } from 'react'
import { countText } from '../words/numbers.ts'
import { percentAt, type Tick, type TimeWindow } from './axis.ts'
import { type ContextStep, contextLane, speedLane } from './lanes.ts'
import { GridLines } from './span-grid.tsx'

interface LanesProps {
  readonly times: Spans
  readonly window: TimeWindow
  readonly ticks: readonly Tick[]
}

const BINS = 150
/** The height of a lane's drawing, in its own units. */
const HEIGHT = 40

/** How fast the models wrote, and how much they were sent, on the axis of the rows. */
export function Lanes({ times, window, ticks }: LanesProps) {
  const speed = useMemo(() => speedLane(times, window, BINS), [times, window])
  const context = useMemo(() => contextLane(times), [times])
  const latest = context.at(-1)
  if (speed.peak === 0 && latest === undefined) return null
  return (
    <div className="tl-lanes">
      {speed.peak > 0 && (
        <div className="tl-lane">
          <LaneName
            name="Output speed"
            unit={`${speed.unit} per second`}
            value={countText(Math.round(speed.peak))}
            of="peak"
          />
          <div className="tl-time">
            <GridLines ticks={ticks} />
            <Drawing>
              <path className="tl-speed" d={speedPath(speed.bins, speed.peak)} />
            </Drawing>
          </div>
        </div>
      )}
      {latest !== undefined && (
        <div className="tl-lane">
          <LaneName
            name="Context"
            unit="tokens sent with each call"
            value={countText(latest.tokens)}
            of="in the last call"
          />
          <div className="tl-time">
            <GridLines ticks={ticks} />
            <Drawing>
              <path className="tl-context" d={contextPath(context, window)} />
            </Drawing>
          </div>
        </div>
      )}
    </div>
  )
}

interface LaneNameProps {
  readonly name: string
  readonly unit: string
  readonly value: string
  readonly of: string
}

function LaneName({ name, unit, value, of }: LaneNameProps) {
  return (
    <div className="tl-lane-name">
      {name}
      <b>{value}</b>
      <span>{unit}</span>
      <span>{of}</span>
    </div>
  )
}

function Drawing({ children }: { readonly children: React.ReactNode }) {
  return (
    <div className="tl-plot">
      <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {children}
      </svg>
    </div>
  )
}

function speedPath(bins: readonly number[], peak: number): string {
  const width = 1000 / bins.length
  return bins
    .flatMap((speed, index) => {
      if (speed <= 0) return []
      const height = Math.max(1.5, (speed / peak) * (HEIGHT - 2))
      const [x, y] = [(index * width + width * 0.12).toFixed(1), (HEIGHT - height).toFixed(1)]
      return [`M${x} ${y}h${(width * 0.76).toFixed(1)}V${HEIGHT}H${x}z`]
    })
    .join('')
}

/** A line in steps, which lasts to the end of the window. */
function contextPath(steps: readonly ContextStep[], window: TimeWindow): string {
  const most = Math.max(1, ...steps.map(({ tokens }) => tokens))
  let path = ''
  for (const { at, tokens } of steps) {
    const x = Math.max(0, Math.min(1000, percentAt(window, at) * 10)).toFixed(1)
    const y = (HEIGHT - 2 - (tokens / most) * (HEIGHT - 6)).toFixed(1)
    path += path === '' ? `M${x} ${y}` : `H${x}V${y}`
  }
  return path === '' ? '' : `${path}H1000`
}
