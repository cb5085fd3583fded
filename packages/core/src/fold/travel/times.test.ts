import { describe, expect, it } from 'vitest'
import type { Entry } from '../../entry.ts'
import type { Mark } from '../spans/span.ts'
import { densityOf, heightsOf } from './density.ts'
import { createEntryTimes, entryAt } from './entry-times.ts'
import { horizonOf, markBeside } from './horizon.ts'
import { silencesIn, timeAfter, timeAxisOf } from './time-axis.ts'

const entry = (seq: number, at: number, sentAt?: number): Entry => ({
  seq,
  at,
  event: { type: 'block-delta', blockId: 'b', text: 'x', ...(sentAt !== undefined && { sentAt }) },
  rawThrough: seq,
})

describe('the times of entries', () => {
  it('never go back, and are limited once the framework’s clock is there', () => {
    const times = createEntryTimes()
    times.push([entry(1, 900), entry(2, 950), entry(3, 960, 700), entry(4, 980), entry(5, 990, 600)])
    times.push([entry(5, 1), entry(9, 1)])
    expect(times.times()).toEqual([700, 700, 700, 720, 720])
  })

  it('say which entry was the last at a time', () => {
    const times = [10, 20, 20, 30]
    expect([9, 10, 19, 20, 29, 30, 99].map((time) => entryAt(times, time))).toEqual([0, 1, 1, 3, 3, 4, 4])
  })
})

/** Four entries, 18 s of silence, four entries, 3 s of silence, one entry. */
const times = [0, 500, 1_000, 1_500, 19_500, 20_000, 20_500, 21_000, 24_000]
const silences = silencesIn(times)

describe('the axis', () => {
  it('is linear if nothing is skipped', () => {
    const axis = timeAxisOf(times)
    expect([axis.from, axis.to, axis.silences]).toEqual([0, 24_000, []])
    expect([0, 6_000, 24_000, 99_000].map(axis.fractionOf)).toEqual([0, 0.25, 1, 1])
    expect([0, 0.25, 1, 7].map(axis.timeAt)).toEqual([0, 6_000, 24_000, 24_000])
  })

  it('draws silences of more than 2 s short, the longer one longer, and reads back what it draws', () => {
    expect(silences).toEqual([
      { from: 1_500, to: 19_500 },
      { from: 21_000, to: 24_000 },
    ])
    expect(silencesIn([0, 2_000])).toEqual([])
    const axis = timeAxisOf(times, silences)
    const widths = axis.silences.map(({ start, end }) => end - start)
    expect(widths[0]).toBeGreaterThan(widths[1] as number)
    expect(widths[0]).toBeLessThan(0.75)
    expect(axis.silences[1]?.end).toBeCloseTo(1)
    for (let time = 0; time <= 24_000; time += 125) expect(axis.timeAt(axis.fractionOf(time))).toBeCloseTo(time, 6)
    for (let part = 1; part <= 200; part++)
      expect(axis.timeAt(part / 200)).toBeGreaterThan(axis.timeAt((part - 1) / 200))
  })

  it('holds a run of one entry, and of none', () => {
    expect(timeAxisOf([5]).fractionOf(5)).toBe(0)
    expect(timeAxisOf([]).timeAt(0.5)).toBe(0)
  })
})

describe('playing', () => {
  it('does not wait in silences that are skipped, wherever it begins', () => {
    expect(timeAfter(1_000, 600, silences)).toBe(19_600)
    expect(timeAfter(1_000, 500, silences)).toBe(1_500)
    expect(timeAfter(1_500, 100, silences)).toBe(19_600)
    expect(timeAfter(9_000, 100, silences)).toBe(19_600)
    expect(timeAfter(1_000, 2_100, silences)).toBe(24_100)
    expect(timeAfter(1_000, 600, [])).toBe(1_600)
  })
})

describe('the density', () => {
  it('counts every entry once, in the column that draws its time', () => {
    for (const axis of [timeAxisOf(times), timeAxisOf(times, silences)]) {
      for (const columns of [1, 7, 240]) {
        const counts = densityOf(times, axis, columns)
        expect(counts).toHaveLength(columns)
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(times.length)
        for (const time of times) {
          const column = Math.min(columns - 1, Math.floor(axis.fractionOf(time) * columns - 1e-9))
          expect(counts[Math.max(0, column)]).toBeGreaterThan(0)
        }
      }
    }
    expect(densityOf(times, timeAxisOf(times), 0)).toEqual([])
  })

  it('draws a column with one entry, and no empty one', () => {
    expect(heightsOf([0, 1, 100])).toEqual([0, expect.closeTo(0.172), 1])
    expect(heightsOf([0, 0])).toEqual([0, 0])
  })
})

describe('what lies ahead', () => {
  const mark = (kind: Mark['kind'], seq: number): Mark => ({ kind, seq, at: seq, text: '' })
  const marks = [mark('message', 1), mark('tool', 4), mark('failure', 6), mark('approval', 7), mark('failure', 9)]

  it('is counted behind the moment', () => {
    expect(horizonOf(marks, 12, 6)).toEqual({ entries: 6, failures: 1, approvals: 1 })
    expect(horizonOf(marks, 12, 12)).toEqual({ entries: 0, failures: 0, approvals: 0 })
  })

  it('has a mark to go to, forward and back', () => {
    expect([markBeside(marks, 4, 1)?.seq, markBeside(marks, 4, -1)?.seq]).toEqual([6, 1])
    expect([markBeside(marks, 9, 1), markBeside(marks, 1, -1)]).toEqual([undefined, undefined])
  })
})
