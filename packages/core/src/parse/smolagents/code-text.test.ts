import { describe, expect, it } from 'vitest'
import { createCodeText, divideCode, type TextPart } from './code-text.ts'

/** The parts of a text that arrives in pieces of some length, those of one kind joined. */
function streamed(whole: string, length: number) {
  const divided = createCodeText()
  const parts: TextPart[] = []
  for (let at = 0; at < whole.length; at += length) parts.push(...divided.push(whole.slice(at, at + length)))
  parts.push(...divided.end())
  const of = (kind: string) => parts.filter((part) => part.kind === kind).map(({ text }) => text)
  return { text: of('text').join(''), code: of('code').length === 0 ? undefined : of('code').join('') }
}

describe('the text of a step', () => {
  it.each([
    ['Thought: I add.\n<code>\nprint(1)\n</code>', 'Thought: I add.\n', 'print(1)'],
    ['<code>\n  a = 1\n\n  b = 2  \n\n</code>', '', 'a = 1\n\n  b = 2'],
    ['I add.\n<code>\nprint(1)', 'I add.\n', 'print(1)'],
    ['I add.\n  <code>print(1)</code>\nDone.', 'I add.\n  \nDone.', 'print(1)'],
    ['A\n<code>\na\n</code>\nB\n<code>\nb\n</code>', 'A\n\nB\n', 'a\n\nb'],
    ['Use <code>print</code> here.', 'Use <code>print</code> here.', undefined],
    ['A line\nwith <code> in it\n', 'A line\nwith <code> in it\n', undefined],
    ['\n<co', '\n<co', undefined],
    ['\n<code', '\n<code', undefined],
    ['x\n<code>\nif a </co', 'x\n', 'if a </co'],
    ['x\n<code>\na = "</code', 'x\n', 'a = "</code'],
    ['x\n<code></code>', 'x\n', ''],
    ['x\n<code>', 'x\n', ''],
    ['no tag', 'no tag', undefined],
  ])('is divided into what is said and the code that runs, wherever it is cut: %j', (whole, text, code) => {
    expect(divideCode(whole)).toEqual({ text, code })
    for (let length = 1; length <= whole.length; length++) {
      expect(streamed(whole, length), `pieces of ${length}`).toEqual({ text, code })
    }
  })

  it('is divided in a time that grows with its length alone', () => {
    const blank = createCodeText()
    const before = performance.now()
    blank.push('\n<code>\nx')
    for (let count = 0; count < 50_000; count++) blank.push('\n \n')
    expect(performance.now() - before).toBeLessThan(1000)
    expect(blank.push('y')[0]?.text).toHaveLength(150_001)
  })
})
