import { createContext, useContext, useEffect, useState } from 'react'

/** The clock of what is drawn: that of the machine, or in the past the time of the moment, which stands still. */
export interface MomentClock {
  now(): number
  /** Calls the listener when the time jumps: what counts shows the new time at once. */
  onJump(listener: () => void): () => void
  /** Undefined: the present. */
  set(time: number | undefined): void
}

export function createMomentClock(): MomentClock {
  const listeners = new Set<() => void>()
  let moment: number | undefined
  return {
    now: () => moment ?? Date.now(),
    onJump(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    set(time) {
      if (time === moment) return
      moment = time
      for (const listener of [...listeners]) listener()
    },
  }
}

const Context = createContext<MomentClock>(createMomentClock())

export const MomentClockProvider = Context.Provider

/** The time of what is drawn, renewed every `every` milliseconds, and when it jumps. */
export function useMomentNow(every: number): number {
  const clock = useContext(Context)
  const [now, setNow] = useState(clock.now)
  useEffect(() => {
    const renew = () => setNow(clock.now())
    renew()
    const timer = setInterval(renew, every)
    const leave = clock.onJump(renew)
    return () => {
      leave()
      clearInterval(timer)
    }
  }, [clock, every])
  return now
}
