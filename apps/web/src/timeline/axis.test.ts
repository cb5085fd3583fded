import { describe, expect, it } from 'vitest'
import { ticksOf, within, zoomed } from './axis.ts'

const textsOf = (from: number, to: number, start = 0) => ticksOf({ from, to }, start).map(({ text }) => text)

describe('the axis of the timeline', () => {
  it('has round moments of the run, whatever its length', () => {
    expect(textsOf(1_000, 135_000, 1_000)).toEqual(['0:00', '0:20', '0:40', '1:00', '1:20', '1:40', '2:00'])
    expect(textsOf(0, 7_200_000)).toEqual(['0:00', '20:00', '40:00', '1:00:00', '1:20:00', '1:40:00', '2:00:00'])
    expect(textsOf(0, 1_100)).toEqual(['0:00.0', '0:00.2', '0:00.4', '0:00.6', '0:00.8', '0:01.0'])
    expect(textsOf(0, 60)).toEqual(['0:00.000', '0:00.010', '0:00.020', '0:00.030', '0:00.040', '0:00.050', '0:00.060'])
  })

  it('has few of them, also of a part of the time', () => {
    for (const length of [1, 7, 333, 4_000, 59_000, 3_601_000, 90_000_000, 3_000_000_000])
      for (const from of [0, 12_345.6]) {
        const ticks = ticksOf({ from, to: from + length }, 0)
        expect(ticks.length, String(length)).toBeGreaterThan(0)
        expect(ticks.length, String(length)).toBeLessThanOrEqual(8)
        for (const { percent } of ticks) expect(percent >= 0 && percent <= 100.001, String(length)).toBe(true)
      }
  })

  it('is zoomed around a moment in view, else around its middle, and stays within the run', () => {
    const whole = { from: 0, to: 100 }
    expect(zoomed(whole, whole, 'in')).toEqual({ from: 25, to: 75 })
    expect(zoomed(whole, whole, 'in', 90)).toEqual({ from: 50, to: 100 })
    expect(zoomed({ from: 20, to: 40 }, whole, 'in', 90)).toEqual({ from: 25, to: 35 })
    expect(zoomed({ from: 0, to: 80 }, whole, 'out')).toEqual(whole)
    expect(within({ from: -10, to: 10 }, whole)).toEqual({ from: 0, to: 20 })
    expect(within({ from: -10, to: 200 }, whole)).toEqual(whole)
  })
})
