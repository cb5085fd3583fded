import { useEffect, useState } from 'react'
import { secondsText } from './durations.ts'
import { useViewContext } from './view-context.ts'

const TICK_MS = 1000

/**
 * A running count of seconds. It is blank until it is mounted: what is drawn from the data alone has no clock.
 * Not a live region: an announcement per second is noise.
 */
export function Elapsed({ since, prefix = '' }: { readonly since: number; readonly prefix?: string }) {
  const { now, isOver } = useViewContext()
  const [time, setTime] = useState<number>()
  const isCounting = since !== 0 && !isOver
  useEffect(() => {
    if (!isCounting) return
    setTime(now())
    const timer = setInterval(() => setTime(now()), TICK_MS)
    return () => clearInterval(timer)
  }, [now, isCounting])
  const isShown = isCounting && time !== undefined
  return <span className="mr-time">{isShown && `${prefix}${secondsText(Math.max(0, time - since))}`}</span>
}
