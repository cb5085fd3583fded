import type { Entry } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { createTimesAt } from './times-at.ts'

const types = ['run-start', 'step-start', 'step-end', 'step-end'] as const
const entries = types.map(
  (type, index): Entry => ({
    seq: index + 1,
    at: index * 10,
    rawThrough: 0,
    event: type === 'step-start' ? { type, kind: 'model' } : { type },
  }),
)

describe('the times of a run', () => {
  it('are read on, or anew for a moment before', () => {
    const read = createTimesAt('r', () => entries)
    expect([3, 1, 2, 4, 9].map((length) => read.at(length).endedAt)).toEqual([20, 0, 10, 30, 30])
  })

  it('are the same object for the same moment', () => {
    const read = createTimesAt('r', () => entries)
    expect(read.at(3)).toBe(read.at(3))
  })
})
