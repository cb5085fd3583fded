import { describe, expect, it } from 'vitest'
import { eventOf, htmlOf } from '../../test/html.ts'
import { text } from '../../test/segments.ts'
import { tokensOf } from './highlight.ts'

const kindsOf = (code: string, language: string) =>
  tokensOf(code, language)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ text: part, kind }) => `${kind} ${part}`)

describe('code is coloured by what most languages share', () => {
  it.each([
    ['py', 'x = 1 # why', ['number 1', 'comment # why']],
    ['yaml', '# why', ['comment # why']],
    ['css', 'color: #fff', []],
    ['ts', 'a # b', []],
    ['sql', 'select -- why', ['keyword select', 'comment -- why']],
    ['js', '// why\nlet a', ['comment // why', 'keyword let']],
    ['js', '/* a\nb', ['comment /* a\nb']],
    ['js', "f('a\\'b') + \"c\"", ['call f', "string 'a\\'b'", 'string "c"']],
    ['js', '`a\nb', ['string `a\nb']],
    ['js', '1_000.5e-3 + a1', ['number 1_000.5e-3']],
    ['js', 'if (a) g (b)', ['keyword if', 'call g']],
    ['text', 'let a = 1', []],
    ['', 'let a = 1', []],
    ['log', 'let a = 1', []],
  ])('%s: %j', (language, code, tokens) => {
    expect(kindsOf(code, language)).toEqual(tokens)
  })

  it.each([
    ['ts', true],
    ['TS', true],
    ['src/sse.ts', true],
    ['a.test.ts', true],
    ['notes.md', false],
    ['', false],
  ])('a listing named %j is coloured: %s', (info, isColoured) => {
    const html = htmlOf(eventOf([text(1, `\`\`\`${info}\nlet a\n\`\`\``)]))
    expect(html.includes('mr-token-keyword')).toBe(isColoured)
    expect(html).toContain(`mr-code-name">${info === '' ? 'text' : info}<`)
  })
})
