/** The largest time that a date can have, in milliseconds. */
const LATEST = 8.64e15

/** The end of a timestamp by its milliseconds, computed once because it is faster (bench/rows/wire.ts). */
const ENDINGS: readonly string[] = Array.from(
  { length: 1000 },
  (_, fraction) => `${String(fraction).padStart(3, '0')}Z`,
)

/**
 * Writes times as ISO 8601; a time outside the range of dates becomes the nearest valid one. Most times are in the same
 * second as the previous one, so only their last digits differ.
 */
export function createTimestamps(): (time: number) => string {
  let second = Number.NaN
  let upToSecond = ''

  return (time) => {
    const whole = Math.trunc(Math.min(Math.max(time, 0), LATEST))
    const isSameSecond = whole >= second && whole < second + 1000
    if (!isSameSecond) {
      second = whole - (whole % 1000)
      upToSecond = new Date(second).toISOString().slice(0, -4)
    }
    return `${upToSecond}${ENDINGS[whole - second]}`
  }
}

/** The seconds between two times; undefined if the end is not later. Without a clock all times are equal. */
export function secondsBetween(start: number, end: number): number | undefined {
  return end > start ? Math.round(end - start) / 1000 : undefined
}
