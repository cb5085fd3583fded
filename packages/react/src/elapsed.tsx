import { useEffect, useState } from 'react'
import { secondsText } from './durations.ts'
import type { NameLabel } from './labels.ts'
import { useViewContext } from './view-context.ts'

const TICK_MS = 1000
/** No tool runs for so long: the stream has a clock of its own, such as that of a recording that is played again. */
const FOREIGN_MS = 24 * 3_600_000

interface ElapsedProps {
  readonly since: number
  /** A text around the time. */
  readonly label?: NameLabel
}

/**
 * A running count of seconds. It is blank until it is mounted: what is drawn from the data alone has no clock.
 * Not a live region: an announcement per second is noise.
 */
export function Elapsed({ since, label }: ElapsedProps) {
  const { now, onJump, isOver, labels } = useViewContext()
  const [time, setTime] = useState<number>()
  const isCounting = since !== 0 && !isOver
  useEffect(() => {
    if (!isCounting) return
    const show = () => setTime(now())
    show()
    const timer = setInterval(show, TICK_MS)
    const leave = onJump?.(show)
    return () => {
      clearInterval(timer)
      leave?.()
    }
  }, [now, onJump, isCounting])
  const isShown = isCounting && time !== undefined && Math.abs(time - since) < FOREIGN_MS
  if (!isShown) return <span className="mr-time" />
  const text = secondsText(Math.max(0, time - since), labels)
  return <span className="mr-time">{label === undefined ? text : label(text)}</span>
}
