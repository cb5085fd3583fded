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

/** Strings on which a careless regular expression takes quadratic time. */
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

/** Rendered by the real markdown renderer. Each of these blocked a page for seconds or blanked it. */
const drawn: readonly (readonly [name: string, text: string])[] = [
  ...['>', '> ', '- ', '1. ', '* > ', '*_', '*a**b', '~~a', '[a](', '![', '[a][b]', '`a ', '<a ', '&', '-\n'].map(
    (part) => [`${JSON.stringify(part)} again and again`, part.repeat(20_000)] as const,
  ),
  ['quotes in quotes, line by line', `${'> '.repeat(30)}a\n`.repeat(3_000)],
  ['nested emphasis', `${'*_'.repeat(5_000)}a${'_*'.repeat(5_000)}`],
  ['a table that is padded to millions of cells', `${row('a', 3_000)}${row('-', 3_000)}${'|\n'.repeat(3_000)}`],
  [
    'link definitions',
    Array.from({ length: 20_000 }, (_, index) => `[l${index}]: https://a.example/${index}`).join('\n\n'),
  ],
  [
    'mentions of one long definition',
    `[a]: https://a.example/${'x'.repeat(20_000)}\n\n${'See [a].\n\n'.repeat(5_000)}`,
  ],
  ['footnotes', `${numbered((n) => `Note[^n${n}].`)}\n\n${numbered((n) => `[^n${n}]: About ${n}.`)}`],
  ['short paragraphs', 'A paragraph.\n\n'.repeat(20_000)],
  ['short lists', '- a\n- b\n\nAnd:\n\n'.repeat(20_000)],
]

function row(cell: string, columns: number): string {
  return `${`|${cell}`.repeat(columns)}|\n`
}

function numbered(line: (number: number) => string): string {
  return Array.from({ length: 5_000 }, (_, number) => line(number)).join('\n\n')
}

describe('hostile markdown', () => {
  it.each(drawn)('%s: is drawn within its limits, live and stored', (_name, whole) => {
    for (const state of ['live', 'done'] as const) {
      const html = htmlOf(eventOf([text(1, `Before.\n\n${whole}\n\nAfter.`, state)], { state }))
      expect(html).toContain('Before.')
      // Each block has its own parser, which is what costs: there are no more of them than the limit allows.
      expect(html.split('class="mr-md"').length - 1).toBeLessThanOrEqual(2_000)
    }
  })

  it('keeps every character of a block that is not formatted', () => {
    const html = htmlOf(eventOf([text(1, `One.\n\n${'>'.repeat(3_000)} deep\n\n**Two**.`)]))
    expect(html).toContain(`${'&gt;'.repeat(3_000)} deep`)
    expect(html).toContain('<strong>Two</strong>')
    expect(html).not.toContain('<blockquote>')
  })

  it('formats ordinary text, however long its lists, tables and listings are', () => {
    const list = Array.from(
      { length: 300 },
      (_, index) => `- **Item ${index}**: see [here](https://a.example) and \`code\`.`,
    )
    const table = row('a', 12) + row('-', 12) + row('b', 12).repeat(500)
    const html = htmlOf(
      eventOf([text(1, `${list.join('\n')}\n\n${table}\n\n\`\`\`ts\n${'x = 1\n'.repeat(50_000)}\`\`\``)]),
    )
    expect(html).not.toContain('mr-plain')
    expect(html.match(/<li>/g)).toHaveLength(300)
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
