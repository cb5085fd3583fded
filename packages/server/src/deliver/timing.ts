/** How long viewers are waited for. Time is a field here, so that tests own it. */
export interface Timing {
  /** After so many milliseconds of silence a sign of life is sent. */
  readonly heartbeat: number
  /** A viewer that has taken nothing for so long is cut, to come back with its cursor. */
  readonly stallAfter: number
  /** Acts once after so many milliseconds; what it returns prevents that. */
  delay(ms: number, act: () => void): () => void
}

export const defaultTiming: Timing = {
  heartbeat: 15_000,
  stallAfter: 30_000,
  delay(ms, act) {
    const timer = setTimeout(act, ms)
    // A silent viewer is no reason for the process to stay.
    timer.unref()
    return () => clearTimeout(timer)
  },
}
