import { describe, expect, it } from 'vitest'
import { isJsonObject, isText, parseJson } from './json.ts'

const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`

describe('JSON from outside', () => {
  it('is refused if it is nested more than 500 levels deep, whatever its text looks like', () => {
    expect(() => parseJson(nested(502))).toThrow('levels')
    expect(() => parseJson(`{"a":"\\"","b":${nested(500)}}`)).toThrow('levels')
    expect(() => parseJson('['.repeat(100_000))).toThrow('levels')
  })

  it('is read if it is not, whatever its strings contain', () => {
    expect(parseJson(nested(500))).toEqual(JSON.parse(nested(500)))
    const value = { 'a"[': `${'[{'.repeat(2_000)}\\`, 'b\\': ['\\"[', '"'.repeat(3_000)], c: '[['.repeat(600) }
    expect(parseJson(JSON.stringify(value))).toEqual(value)
  })

  it('is refused if it is not JSON', () => {
    expect(() => parseJson('{')).toThrow(SyntaxError)
    expect(() => parseJson(`"${'x'.repeat(2_000)}`)).toThrow(SyntaxError)
  })
})

describe('kinds of JSON values', () => {
  it('counts neither null nor an array as an object, nor a number as a text', () => {
    expect([{}, { a: 1 }, [], null, undefined, 'a', 1].filter(isJsonObject)).toEqual([{}, { a: 1 }])
    expect(['', 'a', 1, null, undefined, {}].filter(isText)).toEqual(['', 'a'])
  })
})
