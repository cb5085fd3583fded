import { describe, expect, it } from 'vitest'
import { forgetOldest, remember, rememberOne } from './remember.ts'

describe('remember', () => {
  it('forgets the oldest if there are too many', () => {
    const values = new Map<string, number>()
    for (const [index, key] of ['a', 'b', 'c'].entries()) remember(values, key, index, 2)
    expect([...values]).toEqual([
      ['b', 1],
      ['c', 2],
    ])
  })

  it('moves a value that is remembered again to the end', () => {
    const values = new Map([
      ['a', 1],
      ['b', 2],
    ])
    expect(remember(values, 'a', 3, 2)).toBe(3)
    remember(values, 'c', 4, 2)
    expect([...values.keys()]).toEqual(['a', 'c'])
  })

  it('does the same with a set', () => {
    const keys = new Set(['a', 'b'])
    rememberOne(keys, 'a', 2)
    rememberOne(keys, 'c', 2)
    expect([...keys]).toEqual(['a', 'c'])
  })

  it('is bounded by default', () => {
    const values = new Map<number, number>()
    const keys = new Set<number>()
    for (let key = 0; key < 9000; key++) {
      remember(values, key, key)
      rememberOne(keys, key)
    }
    expect([values.size, keys.size]).toEqual([8192, 8192])
  })
})

describe('forgetOldest', () => {
  it('keeps the order of the remaining entries, and all entries within the maximum', () => {
    const values = new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 4],
    ])
    values.set('b', 5)
    forgetOldest(values, 4)
    expect(values.size).toBe(4)
    forgetOldest(values, 2)
    expect([...values.keys()]).toEqual(['c', 'd'])
  })
})
