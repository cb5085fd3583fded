import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOut } from './layout.ts'
import { createLimiter } from './limits.ts'
import { createSplitter, split } from './split.ts'

const PARTS = [
  'a',
  '\n',
  '\n\n',
  '- ',
  '```\n',
  '> ',
  '[^n]',
  '[^n]: ',
  '[x]',
  '[x]: https://a.example',
  '**',
  '<!--',
  '-->',
  '    ',
]
const growing = fc.array(
  fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
  {
    minLength: 2,
    maxLength: 5,
  },
)

/** A text that grows by each part, is replaced by the next, and comes back. */
function textsOf(parts: readonly string[]): readonly string[] {
  const grown = parts.map((_, index) => parts.slice(0, index + 1).join(''))
  return [...grown, ...parts, ...grown.toReversed()]
}

describe('a view that has shown other texts', () => {
  it('splits and lays out a text as a new one does', () => {
    holds(
      fc.property(growing, (parts) => {
        const [splitAgain, limitAgain] = [createSplitter(), createLimiter()]
        for (const text of textsOf(parts))
          for (const isLive of [true, false]) {
            const again = splitAgain(text)
            expect(again).toEqual(split(text).blocks)
            expect(layOut(again, isLive, limitAgain)).toEqual(layOut(split(text).blocks, isLive, createLimiter()))
          }
      }),
      150,
    )
  })

  it('splits another text of the same beginning or the same length anew', () => {
    const splitAgain = createSplitter()
    for (const text of ['One.\n\nTwo.', 'Eins.\n\nZwei.\n\nDrei.', 'One.\n\nTwo.', 'One, Two.', 'One.\n\nTwo'])
      expect(splitAgain(text)).toEqual(split(text).blocks)
  })
})

describe('a footnote', () => {
  it('of several lines loses the indentation of each', () => {
    const blocks = split('See[^n].\n\n[^n]: One.\n    Two.\n    Three.\n\n    Four.').blocks
    expect(layOut(blocks, false, createLimiter()).footnotes.map(({ text }) => text)).toEqual([
      'One.\nTwo.\nThree.\n\nFour.',
    ])
  })
})

it('a fence of which only the marks are written is a listing already', () => {
  expect(layOut(split('One.\n\n```').blocks, true, createLimiter()).blocks.map(({ source }) => source)).toEqual([
    'One.\n\n',
    '```',
  ])
})
