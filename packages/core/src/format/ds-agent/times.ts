/** The largest time that a date can have, in milliseconds. */
const LATEST = 8.64e15

/**
 * Writes times as ISO 8601; one that no date can have becomes the nearest that can. Most are of the second of the one
 * before, and only their last digits are written anew.
 */
export function createTimestamps(): (time: number) => string {
  let second = Number.NaN
  let upToSecond = ''

  return (time) => {
    const whole = Math.trunc(Math.min(Math.max(time, 0), LATEST))
    const fraction = whole % 1000
    if (whole - fraction !== second) {
      second = whole - fraction
      upToSecond = new Date(second).toISOString().slice(0, -4)
    }
    return `${upToSecond}${String(fraction).padStart(3, '0')}Z`
  }
}

/** Seconds between two times, where the second is later. Without a clock all times are the same. */
export function secondsBetween(start: number, end: number): number | undefined {
  return end > start ? Math.round(end - start) / 1000 : undefined
}
