import { describe, expect, it } from 'vitest'
import { partDurationOf, runDurationOf } from './run-duration.ts'

describe('how long a run took', () => {
  it.each([
    ['by its own clock', { startedAt: 1, endedAt: 5_001 }, 5_000],
    ['as it reports, if it has no clock', { startedAt: 1, endedAt: 1, usage: { durationMs: 45_000 } }, 45_000],
    ['as it reports, before its end', { startedAt: 1, usage: { durationMs: 45_000 } }, 45_000],
    ['as it reports, if it was read quicker', { startedAt: 1, endedAt: 2_001, usage: { durationMs: 45_000 } }, 45_000],
    [
      'by its own clock, if that is longer: it waited',
      { startedAt: 1, endedAt: 60_001, usage: { durationMs: 45_000 } },
      60_000,
    ],
    ['is not known of a recording without a clock', { startedAt: 1, endedAt: 3 }, undefined],
    ['is not known before its end', { startedAt: 1 }, undefined],
  ])('%s', (_case, run, expected) => {
    expect(runDurationOf(run)).toBe(expected)
  })

  it('of a part may be short, and is not known without a clock', () => {
    expect(partDurationOf({ startedAt: 1_000, endedAt: 1_400 })).toBe(400)
    expect(partDurationOf({ startedAt: 1_000, endedAt: 1_020 })).toBeUndefined()
    expect(partDurationOf({ startedAt: 0, endedAt: 1_020 })).toBeUndefined()
    expect(partDurationOf({ startedAt: 1_000, endedAt: 1_020, usage: { durationMs: 700 } })).toBe(700)
  })
})
