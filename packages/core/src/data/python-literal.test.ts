import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { readPythonLiteral } from './python-literal.ts'

describe('readPythonLiteral', () => {
  it.each<[string, Json]>([
    ["{'a': 1, 'b': -2.5e3, 'c': .5}", { a: 1, b: -2500, c: 0.5 }],
    ['{"it\'s": True, \'"x"\': False, 3: None}', { "it's": true, '"x"': false, '3': null }],
    ["['a', ('b',), [], (), {}]", ['a', ['b'], [], [], {}]],
    ["'line\\nnext\\ttab \\x41\\u00e9\\U0001f600 \\' \\\\ \\q'", "line\nnext\ttab Aé😀 ' \\ \\q"],
    ["'''it's\nlong'''", "it's\nlong"],
    ["('a' \"b\"\n'c')", ['abc']],
    ['1_000', 1000],
    ['[1, 2,]', [1, 2]],
  ])('reads %s', (text, value) => {
    expect(readPythonLiteral(text)).toEqual(value)
  })

  it.each(['', "{'a'}", "{'a': 1", "'open", '[1 2]', 'name', 'f(1)', "{'a': 1} b", "'\\xZZ'", '1e999', '{,}'])(
    'returns undefined for %s',
    (text) => {
      expect(readPythonLiteral(text)).toBeUndefined()
    },
  )
})
