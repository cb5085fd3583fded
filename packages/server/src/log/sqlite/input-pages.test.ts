import { describe, expect, it } from 'vitest'
import type { LoggedInput } from '../log.ts'
import { inputSlicesOf, inputsIn } from './input-pages.ts'

const record = (text: string, name?: string): LoggedInput => ({ by: 'producer', text, name })
const countsOf = (inputs: readonly LoggedInput[]) => inputSlicesOf(inputs).map(({ count }) => count)

const awkward: readonly LoggedInput[] = [
  record(''),
  record('two\nlines', 'event name'),
  record('[[0,3]]\nabc'),
  record('half a pair \ud83d'),
  record('a\0b', 'c\0d \udc00'),
  record('🦉 ﷽ \u2028'),
  { by: 'server', event: { type: 'run-start' } },
  { by: 'client', event: { type: 'block-delta', blockId: 'b', text: '\ud83d\0' } },
]

describe('a page of inputs', () => {
  it('is read back unchanged, whatever the texts are', () => {
    const [slice, ...rest] = inputSlicesOf(awkward)
    expect([slice?.count, rest]).toEqual([awkward.length, []])
    expect(slice?.page.isWellFormed()).toBe(true)
    expect(slice?.page).not.toContain('\0')
    expect(inputsIn(slice?.page ?? '')).toEqual(awkward)
  })

  it('is one page with the page behind it', () => {
    const pages = awkward.map((input) => inputSlicesOf([input])[0]?.page)
    expect(inputsIn(pages.join(''))).toEqual(awkward)
    expect(inputsIn('')).toEqual([])
  })

  it('is small, unless one input alone is large', () => {
    expect(countsOf([])).toEqual([])
    expect(countsOf(Array.from({ length: 1_001 }, () => record('x')))).toEqual([500, 500, 1])
    const [half, large] = [record('x'.repeat(64_000)), record('x'.repeat(300_000))]
    expect(countsOf([half, half, half])).toEqual([2, 1])
    expect(countsOf([half, large, half])).toEqual([1, 1, 1])
    expect(inputSlicesOf([half, large, half]).flatMap(({ page }) => inputsIn(page))).toEqual([half, large, half])
  })
})
