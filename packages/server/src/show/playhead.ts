import { setTimeout } from 'node:timers/promises'

const ROUND_MS = 25

/** The clock of the scenario: it runs at a speed, and stands while nobody listens. */
export interface Playhead {
  readonly duration: number
  /** In ms of the scenario. */
  position(): number
  speed(): number
  setSpeed(speed: number): void
  /** Resolves when the position is reached. Rejects if the signal fires. */
  reaches(position: number, signal: AbortSignal): Promise<void>
}

export function createPlayhead(duration: number, isHeard: () => boolean): Playhead {
  let position = 0
  let speed = 1
  let at = Date.now()

  /** Reading it moves it: there is no timer between two readings. */
  function now(): number {
    const moment = Date.now()
    if (isHeard()) position = Math.min(duration, position + (moment - at) * speed)
    at = moment
    return position
  }

  return {
    duration,
    position: now,
    speed: () => speed,
    setSpeed(next) {
      now()
      speed = next
    },
    async reaches(wanted, signal) {
      while (now() < wanted) await setTimeout(ROUND_MS, undefined, { signal })
    },
  }
}
