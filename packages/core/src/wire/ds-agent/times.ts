/** The largest time that a date can have, in milliseconds. */
const LATEST = 8.64e15

/** What follows the second, by its milliseconds: written anew for each message it takes longer (bench/rows/wire.ts). */
const ENDINGS: readonly string[] = Array.from(
  { length: 1000 },
  (_, fraction) => `${String(fraction).padStart(3, '0')}Z`,
)

/**
 * Writes times as ISO 8601; one that no date can have becomes the nearest that can. Most are of the second of the one
 * before, and only their last digits differ.
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

/** Seconds between two times, where the second is later. Without a clock all times are the same. */
export function secondsBetween(start: number, end: number): number | undefined {
  return end > start ? Math.round(end - start) / 1000 : undefined
}
