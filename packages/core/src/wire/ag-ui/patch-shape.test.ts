import { describe, expect, it } from 'vitest'
import { isPatch } from './patch-shape.ts'

describe('the shape of a patch', () => {
  it('depends on its pointers', () => {
    const isOne = (path: string) => isPatch([{ op: 'remove', path }])
    for (const path of ['', '/', '/a/b', '/~0~1', '//']) expect(isOne(path), path).toBe(true)
    for (const path of ['a', '/~', '/~2', '/a~/b']) expect(isOne(path), path).toBe(false)
  })

  it('is checked without a stack, however long a pointer is', () => {
    expect(isPatch([{ op: 'remove', path: `/${'a'.repeat(12_000_000)}` }])).toBe(true)
  })
})
