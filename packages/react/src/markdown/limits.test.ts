import { describe, expect, it } from 'vitest'
import { layOut } from './layout.ts'
import { createLimiter } from './limits.ts'
import { createSplitter, split } from './split.ts'

const plain = (...sources: readonly string[]) => createLimiter()(sources)

describe('limits of one block', () => {
  it.each([
    ['characters', (size: number) => 'a '.repeat(size / 2), 32_000],
    ['marks', (size: number) => '*a '.repeat(size), 3_000],
    ['quotes in quotes', (size: number) => `${'>'.repeat(size)} a`, 32],
    ['lists in lists', (size: number) => `${'- '.repeat(size)}a`, 32],
    ['containers in all', (size: number) => '> a\n'.repeat(size), 3_000],
    ['cells', (size: number) => `${'|'.repeat(10)}\n`.repeat(size / 10 - 1), 20_000],
  ])('%s: formatted at the limit, drawn as written beyond it', (_name, make, most) => {
    expect(plain(make(most))).toEqual([true])
    expect(plain(make(most + 20))).toEqual([false])
  })

  it('do not apply to a listing, which is not parsed', () => {
    expect(plain(`\`\`\`\n${'*a '.repeat(100_000)}\n\`\`\``)).toEqual([true])
  })
})

describe('limits of one text', () => {
  it('end the formatting at one block, and everything after it is drawn as written', () => {
    const formatted = plain(...Array.from({ length: 2_010 }, () => 'A paragraph.\n\n'))
    expect(formatted.indexOf(false)).toBe(2_000)
    expect(formatted.lastIndexOf(true)).toBe(1_999)
    expect(plain(...Array.from({ length: 20 }, () => 'a '.repeat(15_000))).indexOf(false)).toBe(16)
    expect(plain(...Array.from({ length: 20 }, () => '*a '.repeat(3_000))).indexOf(false)).toBe(10)
  })

  it('do not count a block that is too expensive to format', () => {
    expect(plain('a'.repeat(600_000), 'b')).toEqual([false, true])
  })

  it('join adjacent blocks that are drawn as written into one box', () => {
    const written = ['One.\n\n', `${'>'.repeat(99)}\n\n`, `${'>'.repeat(98)}\n\n`, 'Two.']
    const { blocks } = layOut(written, false, createLimiter())
    expect(blocks.map(({ at, text, source }) => [at, text.length, source === undefined])).toEqual([
      [0, 6, false],
      [1, 201, true],
      [3, 4, false],
    ])
  })

  it('draw a block as it was written, without prepended definitions or completed marks', () => {
    const heavy = `See [x]. ${'*a '.repeat(3_001)}`
    const { blocks } = layOut([`${heavy}\n\n`, '[x]: https://a.example\n\n', `${heavy}**`], true, createLimiter())
    expect(blocks.filter(({ source }) => source === undefined).map(({ text }) => text)).toEqual([
      `${heavy}\n\n`,
      `${heavy}**`,
    ])
  })

  it('depend on the text alone, not on how it arrived', () => {
    const whole = `One **two**.\n\n${'>'.repeat(40)} deep\n\n${'*a '.repeat(3_010)}\n\nSee [x].\n\n[x]: https://a.example`
    const grown = { split: createSplitter(), limit: createLimiter() }
    for (let end = 1; end <= whole.length; end += 97) {
      const part = whole.slice(0, end)
      const live = layOut(grown.split(part), true, grown.limit)
      expect(live).toEqual(layOut(split(part).blocks, true, createLimiter()))
    }
  })
})
