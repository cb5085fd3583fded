import { describe, expect, it } from 'vitest'
import { sizeOf } from './base64.ts'

describe('the size of base64', () => {
  it.each([
    ['', 0],
    ['QQ==', 1],
    ['QUI=', 2],
    ['QUJD', 3],
    ['QUI', 2],
  ])('of %j is %i', (base64, size) => {
    expect(sizeOf(base64)).toBe(size)
  })
})
