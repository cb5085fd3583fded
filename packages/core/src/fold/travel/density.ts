import type { TimeAxis } from './time-axis.ts'

/** How many entries each column of an axis has. */
export function densityOf(times: readonly number[], axis: TimeAxis, columns: number): readonly number[] {
  const counts = new Array<number>(Math.max(0, columns)).fill(0)
  if (columns < 1) return counts
  let column = 0
  let end = axis.timeAt(1 / columns)
  for (const time of times) {
    while (time > end && column < columns - 1) {
      column++
      end = axis.timeAt((column + 1) / columns)
    }
    counts[column] = (counts[column] as number) + 1
  }
  return counts
}

/**
 * The height of each column between 0 and 1. A column with an entry is never empty. The root keeps single entries visible
 * beside a burst.
 */
export function heightsOf(counts: readonly number[], least = 0.08): readonly number[] {
  const most = counts.reduce((max, count) => Math.max(max, count), 0)
  return counts.map((count) => (count === 0 ? 0 : least + (1 - least) * Math.sqrt(count / most)))
}
