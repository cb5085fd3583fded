import { describe, expect, it } from 'vitest'
import { spansOf } from './ansi.ts'

const ESC = '\u001b'
const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** The style of a text after these codes, in order. */
const styleAfter = (...codes: readonly string[]) =>
  spansOf(`${codes.map((code) => `${ESC}[${code}m`).join('')}x`).map(({ style }) => style)[0]

describe('the colours of a terminal', () => {
  it.each(NAMES.map((name, index) => [name, index] as const))('%s is one of eight, dark or bright', (name, index) => {
    expect(styleAfter(String(30 + index))).toBe(`mr-ansi-${name}`)
    expect(styleAfter(String(90 + index))).toBe(`mr-ansi-${name}`)
    expect(styleAfter(String(40 + index))).toBe('')
    expect(styleAfter(String(100 + index))).toBe('')
  })

  it.each([
    ['bold', ['1'], 'mr-bold'],
    ['dim', ['2'], 'mr-dim'],
    ['bold, then dim', ['1', '2'], 'mr-dim'],
    ['bold and red in one code', ['1;31'], 'mr-ansi-red mr-bold'],
    ['red, then bold', ['31', '1'], 'mr-ansi-red mr-bold'],
    ['everything reset', ['1;31', '0'], ''],
    ['everything reset by an empty code', ['1;31', ''], ''],
    ['everything reset inside a code', ['1;31;0;32'], 'mr-ansi-green'],
    ['only the weight reset', ['1;31', '22'], 'mr-ansi-red'],
    ['only the colour reset', ['1;31', '39'], 'mr-bold'],
    ['one colour, then another', ['31', '32'], 'mr-ansi-green'],
    ['29, below the first colour', ['29'], ''],
    ['38, beyond the last colour', ['38'], ''],
    ['89 and 98, around the bright ones', ['89', '98'], ''],
    ['a colour of 256', ['38;5;1'], ''],
    ['a background of 256, then bold', ['48;5;2;1'], 'mr-bold'],
    ['a colour of three numbers', ['38;2;1;31;32'], ''],
    ['a colour of three numbers, then green', ['38;2;1;31;31;32'], 'mr-ansi-green'],
    ['a colour with colons, which resets nothing', ['31', '38:2::1:0:0'], 'mr-ansi-red'],
    ['a colour of the underline', ['58;5;1'], ''],
    ['a kind of underline, which resets nothing', ['1;31', '4:0'], 'mr-ansi-red mr-bold'],
    ['a code with colons, then another', ['38:5:196;1'], 'mr-bold'],
  ])('%s', (_what, codes, style) => {
    expect(styleAfter(...codes)).toBe(style)
  })

  it('begin anew in each output, and last over lines', () => {
    for (let round = 0; round < 2; round++)
      expect(spansOf(`a${ESC}[31mb\nc${ESC}[0md`)).toEqual([
        { text: 'a', style: '' },
        { text: 'b\nc', style: 'mr-ansi-red' },
        { text: 'd', style: '' },
      ])
  })
})
