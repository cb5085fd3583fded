import type { ChatEvent } from '@millrace/core/fold'
import { densityOf, heightsOf, type MarkKind } from '@millrace/core/travel'
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Peek, usePeek } from './peek.tsx'
import type { TimeHead } from './time-head.ts'
import type { TimedStep } from './timed-step.ts'
import { COLUMN, densityPath, markPaths, stepTicks } from './track-paths.ts'
import type { TravelView } from './travel-run.ts'
import { silenceText } from './travel-words.ts'
import { useSliderWords } from './use-slider-words.tsx'
import { useWidth } from './use-width.ts'
import '../styles/time-track.css'

const DENSITY_HEIGHT = 24

interface TrackProps {
  readonly head: TimeHead
  readonly view: TravelView
  readonly steps: readonly TimedStep[]
  readonly chatEvents: readonly ChatEvent[]
}

/** The run from its first entry to its last, with the head. Solid is before the head, pale behind it. */
export function Track({ head, view, steps, chatEvents }: TrackProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const axis = useAxis(head)
  const shape = useMemo(() => {
    const columns = Math.floor(width / COLUMN)
    const heights = heightsOf(densityOf(view.times, axis, columns))
    return { density: densityPath(heights, width, DENSITY_HEIGHT), marks: markPaths(view.marks, axis, width) }
  }, [view, axis, width])
  const ticks = useMemo(() => stepTicks(steps, axis, width), [steps, axis, width])
  const peek = usePeek(head, view, steps, chatEvents)
  const words = useSliderWords(head, box)
  useEffect(() => {
    const move = () =>
      box.current?.style.setProperty('--head', `${(head.axis().fractionOf(head.point().time) * width).toFixed(1)}px`)
    move()
    return head.onMove(move)
  }, [head, width])

  const timeAt = (event: PointerEvent) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    return head.axis().timeAt((event.clientX - left) / Math.max(1, width))
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    head.drag(timeAt(event))
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const isHeld = event.currentTarget.hasPointerCapture(event.pointerId)
    if (isHeld) head.drag(timeAt(event))
    peek.at(isHeld ? undefined : timeAt(event))
  }
  return (
    <div
      className="scrub"
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label="Moment of the run"
      aria-valuemin={0}
      aria-valuemax={view.length}
      aria-valuenow={words.seq}
      aria-valuetext={words.text}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={head.drop}
      onPointerCancel={head.drop}
      onPointerLeave={() => peek.at(undefined)}
    >
      <span className="scrub-steps" aria-hidden="true">
        {ticks.map(({ seq, x, label }) => (
          <span key={seq} style={{ left: x }}>
            {label}
          </span>
        ))}
      </span>
      {[true, false].map((isPast) => (
        <svg key={String(isPast)} className={isPast ? 'scrub-past' : 'scrub-ahead'} aria-hidden="true">
          <path className="density" d={shape.density} />
          {(Object.keys(shape.marks) as MarkKind[]).map((kind) => (
            <path key={kind} className={`mark-${kind}`} d={shape.marks[kind]} />
          ))}
        </svg>
      ))}
      {axis.silences.map(({ from, to, start, end }) => (
        <span key={from} className="silence" style={{ left: start * width, width: (end - start) * width }}>
          {(end - start) * width > 30 && <em>{silenceText(to - from)}</em>}
        </span>
      ))}
      <span className="head-line" />
      {peek.shown !== undefined && <Peek {...peek.shown} width={width} />}
      {words.announcement}
    </div>
  )
}

/** The axis changes when the run grows, and when silence is skipped. */
function useAxis(head: TimeHead) {
  const [axis, setAxis] = useState(head.axis)
  useEffect(() => {
    const renew = () => setAxis(head.axis)
    renew()
    return head.onMove(renew)
  }, [head])
  return axis
}
