import { useEffect, useRef } from 'react'
import { Icon } from '../icon.tsx'
import { commandOf } from '../keys/commands.ts'
import { KeyCaps } from '../keys/key-caps.tsx'
import { clockText } from '../words/numbers.ts'
import type { TimeHead } from './time-head.ts'
import type { TravelView } from './travel-run.ts'

/** Three numbers are written in every frame: a format that is made once is many times faster. */
const { format: numberText } = new Intl.NumberFormat('en')

interface HeadNumbersProps {
  readonly head: TimeHead
  readonly view: TravelView
  readonly isPresent: boolean
}

/** The time and the entry of the head, and the way back to the present. The numbers change by frame: React does not draw them. */
export function HeadNumbers({ head, view, isPresent }: HeadNumbersProps) {
  const time = useRef<HTMLElement>(null)
  const entry = useRef<HTMLElement>(null)
  const ahead = useRef<HTMLElement>(null)
  useEffect(() => {
    const show = () => {
      const point = head.point()
      write(time.current, clockText(point.time - head.axis().from))
      write(entry.current, `#${numberText(point.seq)}`)
      write(ahead.current, `${numberText(point.length - point.seq)} ahead`)
    }
    show()
    return head.onMove(show)
  }, [head, view, isPresent])
  const whole = clockText((view.times.at(-1) ?? 0) - (view.times[0] ?? 0))
  return (
    <span className="time-end">
      <span className="head-numbers">
        <span>
          <b ref={time} /> / {whole}
        </span>
        <code>
          <span ref={entry} /> / {numberText(view.length)}
        </code>
      </span>
      <button
        type="button"
        className={`mr-button button live-pill${isPresent && !view.isWhole ? ' live-pill-on' : ''}`}
        onClick={head.toPresent}
      >
        {view.isWhole ? <Icon name="check" /> : <span className="dot" />}
        {view.isWhole ? 'Finished' : isPresent ? 'Live' : 'Back to live'}
        {!isPresent && (
          <>
            <em ref={ahead} />
            <KeyCaps keys={commandOf(view.isWhole ? 'last-entry' : 'live').keys} />
          </>
        )}
      </button>
    </span>
  )
}

function write(element: HTMLElement | null, text: string): void {
  if (element !== null && element.textContent !== text) element.textContent = text
}
