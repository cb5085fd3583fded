import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createStyledLines, plainText, spansOf } from './ansi.ts'

const ESC = '\u001b'

describe('output with terminal codes', () => {
  it('keeps colours as class names and drops their codes', () => {
    expect(spansOf(`${ESC}[1;31mbad${ESC}[0m good`)).toEqual([
      { text: 'bad', style: 'mr-ansi-red mr-bold' },
      { text: ' good', style: '' },
    ])
    expect(spansOf(`${ESC}[38;5;196mx${ESC}[38;2;1;2;3my${ESC}[32mz`).map(({ style }) => style)).toEqual([
      '',
      '',
      'mr-ansi-green',
    ])
  })

  it.each([
    ['a title', `${ESC}]0;owned\u0007text`, 'text'],
    ['a link', `${ESC}]8;;https://evil.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['the clipboard', `${ESC}]52;c;ZXZpbA==\u0007text`, 'text'],
    ['cursor moves', `a${ESC}[2J${ESC}[10;10Hb`, 'ab'],
    ['a question to the terminal', `a${ESC}[6nb${ESC}[c`, 'ab'],
    ['a device string', `${ESC}P1$r0m${ESC}\\text`, 'text'],
    ['one-byte controls', 'a\u009b31mb\u0007c\u0000', 'abc'],
    ['a code that is cut off', `text${ESC}[3`, 'text'],
    ['a progress bar', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    ['line ends of Windows', 'a\r\nb\r\n', 'a\nb\n'],
  ])('does not obey %s', (_what, output, text) => {
    expect(plainText(output)).toBe(text)
  })

  it('never lets a control character through', () => {
    const parts = fc.array(
      fc.constantFrom(
        ESC,
        '[',
        ']',
        ';',
        'm',
        '0',
        '8',
        '\u0007',
        '\\',
        '\u009b',
        '\u009d',
        'P',
        '\r',
        '\n',
        'x',
        '\u0090',
      ),
    )
    holds(
      fc.property(parts, (codes) => {
        expect(plainText(codes.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      }),
      1000,
    )
  })
})

describe('the lines of an output', () => {
  const joined = (spans: ReturnType<typeof spansOf>) =>
    spans.flatMap(({ text, style }) => [...text].map((character) => `${style}:${character}`))

  it('are those of the whole, in any order in which they are read', () => {
    const piece = fc.constantFrom('a', 'word ', '\n', `${ESC}[31m`, `${ESC}[1m`, `${ESC}[0m`, `${ESC}[38;5;9m`, '\r')
    holds(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, isBackward) => {
        const output = `${pieces.join('')}x`
        const lines = createStyledLines(output)
        const numbers = Array.from({ length: lines.count }, (_, line) => line)
        if (isBackward) lines.spans(lines.count - 1)
        const read = numbers.flatMap((line) => [...(line === 0 ? [] : ['\n']), ...joined(lines.spans(line))])
        const whole = joined(spansOf(output)).map((each) => (each.endsWith(':\n') ? '\n' : each))
        expect(read).toEqual(whole)
      }),
      200,
    )
  })
})
