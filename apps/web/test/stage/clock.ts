interface Timer {
  at: number
  readonly call: () => void
  readonly every: number | undefined
}

/** The timers of the page while a scene is played: time passes only when the scene says so. React keeps its own. */
const timers = new Map<number, Timer>()
let now = 0
let lastId = 1_000_000

/** The time at which every scene begins: noon of a day without a change of clocks. */
export const NOON = new Date(2026, 0, 14, 12).getTime()

function add(call: TimerHandler, delay = 0, every?: number): number {
  timers.set(++lastId, { at: now + Math.max(0, delay), call: call as () => void, every })
  return lastId
}

const remove = (id?: number) => void (id !== undefined && timers.delete(id))

/** Replaces the timers and the time of the page. */
export function installClock(): void {
  timers.clear()
  now = NOON
  const page = window as unknown as { [name: string]: unknown }
  page.setTimeout = (call: TimerHandler, delay?: number) => add(call, delay)
  page.setInterval = (call: TimerHandler, delay?: number) => add(call, delay, Math.max(1, delay ?? 0))
  page.clearTimeout = remove
  page.clearInterval = remove
  Date.now = () => now
}

/** Lets time pass: calls every timer that is due, in order. */
export function advance(milliseconds: number): void {
  const end = now + milliseconds
  for (;;) {
    const due = [...timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at)[0]
    if (due === undefined) break
    const [id, timer] = due
    now = Math.max(now, timer.at)
    if (timer.every === undefined) timers.delete(id)
    else timer.at += timer.every
    timer.call()
  }
  now = end
}

export const timerCount = (): number => timers.size
