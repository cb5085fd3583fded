import { expect, it } from 'vitest'
import { createTimestamps } from './times.ts'

it.each([0, 7, 999, 1000, 1_700_000_000_123, 1_700_000_000_999, 1_700_000_001_000, 1.5, 8.64e15])(
  'writes %d as a date does',
  (time) => {
    const timestampOf = createTimestamps()
    timestampOf(1_700_000_000_001)
    expect(timestampOf(time)).toBe(new Date(time).toISOString())
    expect(timestampOf(time + 1)).toBe(new Date(Math.min(time + 1, 8.64e15)).toISOString())
  },
)

it.each([
  [-5, '1970-01-01T00:00:00.000Z'],
  [1e300, '+275760-09-13T00:00:00.000Z'],
])('writes %d, which is not a valid time, as the nearest valid one', (time, written) => {
  expect(createTimestamps()(time)).toBe(written)
})
