import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSplitter, listingOf, split } from './split.ts'

const pieces = [
  'a',
  ' ',
  '\n',
  '\n\n',
  '- ',
  '1. ',
  '```',
  '~~~',
  '> ',
  '    ',
  '<!--',
  '-->',
  '| a |',
  '[^1]: ',
  'word',
  '# ',
]
const source = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''))

describe('a text that is split into blocks', () => {
  it('loses nothing', () => {
    holds(
      fc.property(source, (text) => {
        expect(split(text).blocks.join('')).toBe(text)
      }),
      100,
    )
  })

  it('has the same blocks however it has grown', () => {
    holds(
      fc.property(source, fc.nat(4), (text, step) => {
        const grow = createSplitter()
        for (let end = 0; end < text.length; end += step + 1) grow(text.slice(0, end))
        expect(grow(text)).toEqual(split(text).blocks)
      }),
      300,
    )
  })

  it('keeps the items of a list together although a number comes before its point', () => {
    const grow = createSplitter()
    const text = '1. a\n\n2. b\n\n2 c'
    for (let end = 0; end < '1. a\n\n2. b'.length; end++) expect(grow(text.slice(0, end)).length).toBeLessThan(2)
    expect(grow(text)).toEqual(['1. a\n\n2. b\n\n', '2 c'])
  })

  it('keeps finished blocks while it grows line by line', () => {
    const text = 'One.\n\nTwo.\n\n```ts\nconst a = 1\n\nconst b = 2\n```\n\nThree.'
    const grow = createSplitter()
    let finished: readonly string[] = []
    for (const [end] of [...text.matchAll(/\n/g)].map((match) => [match.index + 1])) {
      const blocks = grow(text.slice(0, end))
      expect(blocks.slice(0, finished.length)).toEqual(finished)
      finished = blocks.slice(0, -1)
    }
    expect(grow(text)).toHaveLength(4)
  })

  it('keeps a fence with blank lines, a list with gaps and a comment whole', () => {
    expect(split('```\na\n\nb\n```\n\nafter').blocks).toEqual(['```\na\n\nb\n```\n\n', 'after'])
    expect(split('- a\n\n- b\n\n  more of b\n\nafter').blocks).toEqual(['- a\n\n- b\n\n  more of b\n\n', 'after'])
    expect(split('<!-- a\n\nb -->\n\nafter').blocks).toEqual(['<!-- a\n\nb -->\n\n', 'after'])
  })
})

describe('listingOf', () => {
  it('returns the code and the word after the fence, closed or not', () => {
    expect(listingOf('```ts title\nconst a\n\nb\n```\n\n')).toEqual({ code: 'const a\n\nb', info: 'ts' })
    expect(listingOf('~~~\na\n```\n')).toEqual({ code: 'a\n```', info: '' })
    expect(listingOf('```src/a.ts')).toEqual({ code: '', info: 'src/a.ts' })
  })

  it('returns undefined if the block holds anything else', () => {
    expect(listingOf('```\na\n```\nafter')).toBeUndefined()
    expect(listingOf('text\n```\na\n```')).toBeUndefined()
    expect(listingOf('```a``` inline')).toBeUndefined()
  })

  it('does not end at a shorter fence', () => {
    expect(listingOf('````\n```\na\n```\n````')).toEqual({ code: '```\na\n```', info: '' })
  })
})
