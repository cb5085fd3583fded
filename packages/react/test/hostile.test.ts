import { describe, expect, it } from 'vitest'
import { completed } from '../src/markdown/complete.ts'
import { tokensOf } from '../src/markdown/highlight.ts'
import { resolveReferences } from '../src/markdown/references.ts'
import { split } from '../src/markdown/split.ts'
import { plainText } from '../src/output/ansi.ts'
import { withoutTrailing } from '../src/without-trailing.ts'
import { eventOf, htmlOf } from './html.ts'
import { text, tool } from './segments.ts'

const MANY = 300_000

/** Strings that make a careless pattern look at each of their characters again and again. */
const hostile = [
  '*',
  '`',
  '[',
  '](',
  '\n',
  '\r',
  ' ',
  '> ',
  '- ',
  '|',
  '|-',
  '_',
  '\u001b',
  '\u009d',
  '#',
  '<!--',
  '[^',
  '\\',
].map((part) => [part, `${part.repeat(MANY)}x`] as const)

describe('half a megabyte of one mark', () => {
  it.each(hostile)('of %j is split, completed, resolved and stripped', (_part, whole) => {
    expect(split(whole).blocks.join('')).toBe(whole)
    expect(completed(whole)).toBeTypeOf('string')
    expect(resolveReferences([whole, '[a]: b']).blocks).toHaveLength(2)
    expect(plainText(whole)).toBeTypeOf('string')
    expect(withoutTrailing(whole.slice(0, -1), whole)).toBe('')
  })

  it('of comments is coloured to its end', () => {
    expect(tokensOf('/* a\n b */ x', 'ts')).toEqual([
      { text: '/* a\n b */', kind: 'comment' },
      { text: ' x', kind: 'plain' },
    ])
    expect(
      tokensOf(`"${'\\'.repeat(9999)}`, 'ts')
        .map(({ text: part }) => part)
        .join(''),
    ).toHaveLength(10_000)
  })
})

describe('names that every object has', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is drawn like any other', (name) => {
    const event = eventOf([
      tool(1, name, { input: { [name]: 1 }, output: { [name]: 2 }, title: name }),
      { ...text(2, `\`${name}\`\n\n\`\`\`${name}\n${name}\n\`\`\``), id: name },
    ])
    expect(htmlOf(event)).toContain(name)
  })
})
