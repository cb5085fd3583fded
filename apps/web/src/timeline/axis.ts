/** The part of the time that is drawn, in ms on the run's clock. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/** Where a moment lies in the window: 0 at its beginning, 100 at its end. */
export const percentAt = ({ from, to }: TimeWindow, time: number): number =>
  ((time - from) / Math.max(to - from, MOST_ZOOM)) * 100

/** No window is shorter: less cannot be told apart. */
const MOST_ZOOM = 1

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .concat([1, 2, 5, 10, 20, 30].map((each) => each * SECOND))
  .concat([1, 2, 5, 10, 20, 30].map((each) => each * MINUTE))
  .concat([1, 2, 4, 8, 24, 48, 168].map((each) => each * HOUR))

export interface Tick {
  /** After the beginning of the run, in ms. */
  readonly after: number
  readonly percent: number
  readonly text: string
}

/** Round moments of the run, at most so many of them. */
export function ticksOf(window: TimeWindow, start: number, most = 7): readonly Tick[] {
  const [from, to] = [window.from - start, window.to - start]
  const step = STEPS.find((each) => (to - from) / each < most) ?? to - from
  const first = Math.ceil(from / step) * step
  const ticks: Tick[] = []
  for (let after = first; after <= to && ticks.length <= most; after += step) {
    ticks.push({ after, percent: percentAt(window, start + after), text: axisText(after, step) })
  }
  return ticks
}

/** `0:20`, `1:02:00`; `0:20.5` or `0:20.050` where the steps are shorter. */
function axisText(after: number, step: number): string {
  const digits = step >= SECOND ? 0 : step >= 100 ? 1 : 3
  const seconds = ((after % MINUTE) / SECOND).toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, '0')
  const minutes = Math.floor(after / MINUTE) % 60
  const hours = Math.floor(after / HOUR)
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}

const FACTOR = 2

/** The window, closer or farther, around a moment; never beyond the whole. */
export function zoomed(window: TimeWindow, whole: TimeWindow, direction: 'in' | 'out', around?: number): TimeWindow {
  const span = window.to - window.from
  const next = Math.min(whole.to - whole.from, Math.max(MOST_ZOOM, direction === 'in' ? span / FACTOR : span * FACTOR))
  const isInside = around !== undefined && around >= window.from && around <= window.to
  const centre = isInside ? around : (window.from + window.to) / 2
  return within({ from: centre - next / 2, to: centre + next / 2 }, whole)
}

/** The window, moved so far that it lies in the whole. */
export function within({ from, to }: TimeWindow, whole: TimeWindow): TimeWindow {
  const span = Math.min(to - from, whole.to - whole.from)
  const start = Math.max(whole.from, Math.min(from, whole.to - span))
  return { from: start, to: start + span }
}
