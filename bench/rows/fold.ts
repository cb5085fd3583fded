import type { Entry } from '@millrace/core/entry'
import { createFold } from '@millrace/core/fold'
import { handFold } from '../hand-fold.ts'
import { heapOf, measure, tenTimes } from '../measure.ts'
import type { Figure, Row } from '../row.ts'
import { entriesOf, mixedRun, textRun } from '../streams.ts'

/** How often a snapshot is taken: never until the end, once a frame of 64 entries, or after every entry. */
function foldLines(lines: readonly string[], every: number): unknown {
  const fold = createFold()
  for (let at = 0; at < lines.length; at++) {
    fold.push([JSON.parse(lines[at] as string) as Entry])
    if (at % every === 0) fold.snapshot()
  }
  return fold.snapshot()
}

const linesOf = (events: Parameters<typeof entriesOf>[0]) => entriesOf(events).map((entry) => JSON.stringify(entry))

function ratios(row: string, small: readonly string[], large: readonly string[], bound: number): Figure[] {
  const times = measure(
    {
      floor: tenTimes(() => handFold(small)),
      frame: tenTimes(() => foldLines(small, 64)),
      each: tenTimes(() => foldLines(small, 1)),
      largeFloor: () => handFold(large),
      largeFrame: () => foldLines(large, 64),
      largeEach: () => foldLines(large, 1),
    },
    9,
  )
  return [
    { row, what: 'a snapshot per frame of 64, small', value: times.frame / times.floor, bound },
    { row, what: 'a snapshot per frame of 64, ten times as large', value: times.largeFrame / times.largeFloor, bound },
    {
      row,
      what: 'growth for ten times the entries',
      value: (10 * times.largeFrame) / times.frame,
      bound: 12,
      isHard: true,
    },
    { row, what: 'a snapshot after every entry, small', value: times.each / times.floor },
    { row, what: 'a snapshot after every entry, ten times as large', value: times.largeEach / times.largeFloor },
  ]
}

export const foldText: Row = {
  title: 'fold 10,000 and 100,000 text deltas of 5 characters',
  run: () => ratios('1a', linesOf(textRun(10_000)), linesOf(textRun(100_000)), 2),
}

export const foldMixed: Row = {
  title: 'fold a mixed run: 10 and 100 steps, 20 tools with streamed arguments each',
  run() {
    const small = linesOf(mixedRun(10))
    const floor = heapOf(() => handFold(small))
    const ours = heapOf(() => {
      const fold = createFold()
      fold.push(small.map((line) => JSON.parse(line) as Entry))
      fold.snapshot()
      return fold
    })
    const memory: Figure = { row: '1b', what: 'heap held by the fold and its snapshot', value: ours / floor, bound: 2 }
    return [...ratios('1b', small, linesOf(mixedRun(100)), 3), memory]
  },
}

export const history: Row = {
  title: 'history: stored entries of a mixed run become a folded thread',
  run() {
    const lines = linesOf(mixedRun(10))
    const stored = JSON.stringify(foldLines(lines, Number.POSITIVE_INFINITY))
    const times = measure(
      {
        floor: () => handFold(lines),
        ours() {
          const fold = createFold()
          fold.push(lines.map((line) => JSON.parse(line) as Entry))
          return fold.snapshot()
        },
        stored: () => JSON.parse(stored),
      },
      25,
    )
    return [
      { row: '8', what: 'from the entries', value: times.ours / times.floor, bound: 1.5 },
      { row: '8', what: 'from the stored fold', value: times.stored / times.floor, bound: 0.15 },
    ]
  },
}
