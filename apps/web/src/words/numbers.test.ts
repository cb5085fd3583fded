import { describe, expect, it } from 'vitest'
import { costText, countText } from './numbers.ts'

describe('counts', () => {
  it('shows tokens in at most four characters and a unit', () => {
    expect([0, 999, 1_000, 9_340, 79_640, 123_456, 999_499, 999_500].map(countText)).toEqual([
      '0',
      '999',
      '1.0k',
      '9.3k',
      '79.6k',
      '123k',
      '999k',
      '1.0M',
    ])
  })

  it('never shows a cost of zero if there was one', () => {
    expect([0, 0.001, 0.354, 12].map(costText)).toEqual(['$0.00', '<$0.01', '$0.35', '$12.00'])
  })
})
