import type { Mark, MarkKind, TimeAxis } from '@millrace/core/travel'

/** The track is as wide as its box, and drawn in pixels. */
export const COLUMN = 2.5
/** Between two columns. */
const SPACE = 0.75

/** The columns of the density as one path, on a base line at `height`. */
export function densityPath(heights: readonly number[], width: number, height: number): string {
  const column = width / Math.max(1, heights.length)
  return heights
    .map((part, index) => {
      if (part === 0) return ''
      const top = height - part * height
      return `M${round(index * column)} ${height}V${round(top)}h${round(Math.max(1, column - SPACE))}V${height}z`
    })
    .join('')
}

/** The shape of each kind of mark, around `x` on a line at 5 px: it tells them apart without colour. */
const shapes: { readonly [Kind in MarkKind]: (x: number) => string } = {
  message: (x) => `M${x - 3} 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z`,
  tool: (x) => `M${x - 1} 2h2v6h-2z`,
  failure: (x) => `M${x} 1l4.5 8h-9z`,
  approval: (x) => `M${x} .5l4.5 4.5l-4.5 4.5l-4.5 -4.5z`,
}

export type MarkPaths = { readonly [Kind in MarkKind]: string }

/** All marks of a kind as one path. Of several in one place one is drawn. */
export function markPaths(marks: readonly Mark[], axis: TimeAxis, width: number): MarkPaths {
  const drawn = new Set<string>()
  const paths: { [Kind in MarkKind]: string } = { message: '', tool: '', failure: '', approval: '' }
  for (const { kind, at } of marks) {
    const x = Math.round(axis.fractionOf(at) * width * 2) / 2
    const key = `${kind} ${Math.round(x)}`
    if (drawn.has(key)) continue
    drawn.add(key)
    paths[kind] += shapes[kind](x)
  }
  return paths
}

export interface StepTick {
  readonly number: number
  readonly seq: number
  readonly x: number
  /** As long as there is room for: `step 3`, `3`, or nothing. */
  readonly label: string
}

const ROOM = { word: 46, number: 16 }

export function stepTicks(
  steps: readonly { readonly number: number; readonly seq: number; readonly time: number }[],
  axis: TimeAxis,
  width: number,
): readonly StepTick[] {
  const xs = steps.map(({ time }) => axis.fractionOf(time) * width)
  return steps.flatMap(({ number, seq }, index) => {
    const x = xs[index] as number
    const room = (xs[index + 1] ?? width) - x
    const before = index === 0 ? Number.POSITIVE_INFINITY : x - (xs[index - 1] as number)
    // Ticks that would be one line are drawn once.
    if (before < 3) return []
    const label = room >= ROOM.word ? `step ${number}` : room >= ROOM.number ? String(number) : ''
    return [{ number, seq, x: round(x), label }]
  })
}

const round = (value: number) => Math.round(value * 10) / 10
