import { describe, expect, it } from 'vitest'
import { runPass } from '../../test/normalize.ts'
import { block, cutText, inputOf, linesOf } from '../../test/think-tags.ts'
import type { StreamEvent } from '../events.ts'
import { createThinkTags, thinkTags } from './think-tags.ts'

const cases: readonly (readonly [id: string, input: string, expected: readonly string[]])[] = [
  ['S4-3 think-1', '<think>Planning...</think>I will help you.', ['think: Planning...', 'text: I will help you.']],
  [
    'think-2',
    '<think>First thought</think>Some text<think>Second thought</think>Final response',
    ['think: First thought', 'text: Some text', 'think: Second thought', 'text: Final response'],
  ],
  ['think-3', 'Just a regular response', ['text: Just a regular response']],
  ['think-4', '<think>Only thinking here</think>', ['think: Only thinking here']],
  ['think-5', '<think>Incomplete thinking block', ['think: Incomplete thinking block (interrupted)']],
  [
    'think-6',
    '<think><nested>Invalid nesting</think>This is the response',
    ['think: <nested>Invalid nesting', 'text: This is the response'],
  ],
  [
    'S4-24 think-7',
    '<think>Valid block</think>Some text<think>Invalid < block</malformed>Final response',
    ['think: Valid block', 'text: Some text', 'think: Invalid < block</malformed>Final response (interrupted)'],
  ],
  ['think-8', 'if (a<b) { x = 1 } else { y }', ['text: if (a<b) { x = 1 } else { y }']],
  ['think-9', 'Use <b>bold</b> text', ['text: Use <b>bold</b> text']],
  ['think-10', '```jsx\n<App><Foo/></App>\n```', ['text: ```jsx\n<App><Foo/></App>\n```']],
  ['think-11', '`<think>` is a tag', ['text: `<think>` is a tag']],
  ['think-12', 'x && y &amp; z', ['text: x && y &amp; z']],
  ['think-13', '<THINK>up</THINK>ok', ['think: up', 'text: ok']],
  ['think-14', '<think attr="1">x</think>y', ['think: x', 'text: y']],
  ['think-15', 'text </think> stray', ['text: text </think> stray']],
  ['think-16', '<thinking>long</thinking>ok', ['think: long', 'text: ok']],
  ['think-17', '<think></think>empty', ['text: empty']],
  ['think-18', 'hello <thin', ['text: hello <thin']],
  ['a closer of another name', '<think>a</thinking>b</think>c', ['think: a</thinking>b', 'text: c']],
  ['a third name', '<reasoning>a</reasoning>b', ['think: a', 'text: b']],
  ['blanks in a closer', '<think>a</think \n>b', ['think: a', 'text: b']],
  ['blanks in an opener', '<think >a</think>b', ['think: a', 'text: b']],
  ['a blank before the name', '< think>a</ think>b', ['text: < think>a</ think>b']],
  ['a longer name', '<thinker>a</thinker>', ['text: <thinker>a</thinker>']],
  ['a self-closing tag', '<think/>a<think />b', ['text: <think/>a<think />b']],
  ['words after the name', 'I <think so> too', ['text: I <think so> too']],
  ['bare and quoted values', `<think a=1 b='>' c=">">x</think>y`, ['think: x', 'text: y']],
  ['names of attributes', '<think data-a_1:b=1>x</think>y', ['think: x', 'text: y']],
  ['what is no name', '<think $=1>x<think a$=1>', ['text: <think $=1>x<think a$=1>']],
  [
    'what is no bare value',
    `<think a=b">x<think a=b'>y<think a=b\`>`,
    [`text: <think a=b">x<think a=b'>y<think a=b\`>`],
  ],
  ['attributes without a blank between', '<think a="1"b="2">x', ['text: <think a="1"b="2">x']],
  ['a missing value', '<think a=>x<think a= "1">', ['text: <think a=>x<think a= "1">']],
  ['an attribute cut by a tag', '<think a="<think>x</think>y', ['text: <think a="', 'think: x', 'text: y']],
  ['a `<` before a tag', 'a<<think>x</think>y', ['text: a<', 'think: x', 'text: y']],
  ['the first closer', '<think>`</think>` is a tag</think>', ['think: `', 'text: ` is a tag</think>']],
  ['thoughts with nothing between them', '<think>a</think><think>b</think>c', ['think: ab', 'text: c']],
  ['an empty thought between thoughts', '<think>a</think><think></think><THINK>b</THINK>', ['think: ab']],
  [
    'a thought behind a text behind a thought',
    '<think>a</think>b<think>c</think>',
    ['think: a', 'text: b', 'think: c'],
  ],
  ['a thought that joins and is not closed', '<think>a</think><think>b', ['think: ab (interrupted)']],
  ['blank text between thoughts', '<think>a</think>\n<think>b</think>', ['think: a', 'text: \n', 'think: b']],
]

describe('think tags', () => {
  for (const [id, input, expected] of cases) {
    it(`${id}: cuts ${JSON.stringify(input)}`, () => {
      expect(cutText([input])).toEqual(expected)
      expect(cutText([...input])).toEqual(expected)
    })

    it(`${id}: keeps every byte`, () => {
      expect(inputOf(runPass(thinkTags, block([input])))).toBe(input)
      expect(inputOf(runPass(thinkTags, block([...input])))).toBe(input)
      const rewritten: StreamEvent[] = [{ type: 'block-patch', blockId: 'b', text: input }, ...block([]).slice(1)]
      expect(inputOf(runPass(thinkTags, [...block(['x']).slice(0, -1), ...rewritten]))).toBe(input)
    })
  }

  it('think-prefix, S4-14, S4-25: shows no fragment of a tag while it may still become one', () => {
    for (const [, input] of cases.slice(0, 7)) {
      for (let end = 1; end < input.length; end++) {
        const shown = live([input.slice(0, end)]).map((event) => (event.type === 'block-delta' ? event.text : ''))
        expect(shown.join('')).not.toMatch(/<\/?(t(h(i(nk?)?)?)?)?>?$/)
      }
    }
  })

  it('S4-14: emits what was held back as soon as it cannot be a tag', () => {
    expect(live(['<thi']).filter(({ type }) => type === 'block-delta')).toEqual([])
    expect(live(['<thi', 'ng'])).toContainEqual({ type: 'block-delta', blockId: 'b', text: '<thing' })
  })

  it('holds no more than 256 characters back', () => {
    const long = `<think a="${'x'.repeat(300)}`
    expect(live([long])).toContainEqual({ type: 'block-delta', blockId: 'b', text: long })
    expect(cutText([`${long}">a</think>`])).toEqual([`text: ${long}">a</think>`])
  })

  it('S4-6: keeps the exact bytes of the tags in meta.millrace', () => {
    expect(runPass(createThinkTags(), block(['<Think  a=1>x</THINK >y']))).toEqual([
      {
        type: 'block-start',
        blockId: 'b',
        kind: 'reasoning',
        variant: 'think-tag',
        meta: { millrace: { open: '<Think  a=1>' } },
      },
      { type: 'block-delta', blockId: 'b', text: 'x' },
      { type: 'block-end', blockId: 'b', meta: { millrace: { close: '</THINK >' } } },
      { type: 'block-start', blockId: 'b.1', kind: 'text' },
      { type: 'block-delta', blockId: 'b.1', text: 'y' },
      { type: 'block-end', blockId: 'b.1' },
    ])
  })

  it('gives an unclosed thought no close, and marks it as interrupted', () => {
    expect(runPass(createThinkTags(), block(['<think>x'])).at(-1)).toEqual({
      type: 'block-end',
      blockId: 'b',
      interrupted: true,
    })
  })

  it('puts the tags of an empty thought before the part that follows', () => {
    expect(runPass(createThinkTags(), block(['a<think></think>b'])).slice(2, 4)).toEqual([
      { type: 'block-end', blockId: 'b' },
      { type: 'block-start', blockId: 'b.1', kind: 'text', meta: { millrace: { before: '<think></think>' } } },
    ])
  })

  it('puts them after the last part if none follows', () => {
    const ends = ['a<think></think>', 'a<think></think><think>'].map((text) =>
      runPass(createThinkTags(), block([text])),
    )
    expect(ends.map((events) => events.slice(2))).toEqual([
      [{ type: 'block-end', blockId: 'b', meta: { millrace: { after: '<think></think>' } } }],
      [{ type: 'block-end', blockId: 'b', meta: { millrace: { after: '<think></think><think>' } } }],
    ])
    expect(runPass(createThinkTags(), block(['<think>a</think><think></think>'])).slice(2)).toEqual([
      { type: 'block-end', blockId: 'b', meta: { millrace: { close: '</think>', after: '<think></think>' } } },
    ])
  })

  it('puts them on an empty text part if there are no other parts', () => {
    expect(runPass(createThinkTags(), block(['<think></think>']))).toEqual([
      { type: 'block-start', blockId: 'b', kind: 'text', meta: { millrace: { before: '<think></think>' } } },
      { type: 'block-end', blockId: 'b' },
    ])
  })

  it('accepts other tag names', () => {
    const tags = createThinkTags({ tags: ['Scratchpad'] })
    expect(linesOf(runPass(tags, block(['<scratchpad>a</SCRATCHPAD><think>b'])))).toEqual([
      'think: a',
      'text: <think>b',
    ])
  })

  it('think-15: begins inside a thought if configured so, with or without the opener', () => {
    const pass = createThinkTags({ startInThinking: true })
    const cut = (text: string) => linesOf(runPass(pass, block([text])))
    expect(cut('a</think>b</think>')).toEqual(['think: a', 'text: b</think>'])
    expect(cut('a</reasoning>b')).toEqual(['think: a', 'text: b'])
    expect(cut('<think>a</think>b')).toEqual(['think: a', 'text: b'])
    expect(cut('<think so>a</reasoning>b')).toEqual(['think: <think so>a', 'text: b'])
    expect(cut('</think>b')).toEqual(['text: b'])
  })
})

/** The events emitted while the block is still open. */
function live(texts: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const pass = createThinkTags()((event) => {
    events.push(event)
  })
  for (const event of block(texts).slice(0, -1)) pass.push(event)
  return events
}
