import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { createPartialJson } from './partial-json.ts'

function valueAfter(...pieces: readonly string[]): Json | undefined {
  const parser = createPartialJson()
  for (const piece of pieces) parser.push(piece)
  return parser.value()
}

describe('partial JSON', () => {
  it('reads any JSON exactly, however it is split', () => {
    holds(
      fc.property(fc.json(), fc.array(fc.nat(200), { maxLength: 8 }), (text, cuts) => {
        const positions = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
        const pieces = positions.slice(1).map((position, index) => text.slice(positions[index], position))
        // A number at the very end of the text may continue, so only an enclosing value can be final.
        expect(valueAfter('[', ...pieces, ']')).toEqual([JSON.parse(text)])
      }),
      500,
    )
  })

  it('shows the value so far after each delta', () => {
    const parser = createPartialJson()
    const seen = ['{"pa', 'th":"/t', 'mp","n', '":1', '2,"ok":tr', 'ue,"list":[1,', '{"a":nul', 'l}]', '}'].map(
      (piece) => {
        parser.push(piece)
        return parser.value()
      },
    )
    expect(seen).toEqual([
      {},
      { path: '/t' },
      { path: '/tmp' },
      { path: '/tmp', n: 1 },
      { path: '/tmp', n: 12 },
      { path: '/tmp', n: 12, ok: true, list: [1] },
      { path: '/tmp', n: 12, ok: true, list: [1, {}] },
      { path: '/tmp', n: 12, ok: true, list: [1, { a: null }] },
      { path: '/tmp', n: 12, ok: true, list: [1, { a: null }] },
    ])
  })

  it('returns undefined before a value begins', () => {
    expect(valueAfter()).toBeUndefined()
    expect(valueAfter('  \n')).toBeUndefined()
    expect(valueAfter('-')).toBeUndefined()
  })

  it('reads escapes that are split in the middle', () => {
    expect(valueAfter('["a\\', 'n\\u00', '41\\ud83d\\u', 'de00\\\\"]')).toEqual(['a\nA😀\\'])
    expect(valueAfter('["braces } ] \\" in strings')).toEqual(['braces } ] " in strings'])
  })

  it('never changes a value that it has returned', () => {
    const parser = createPartialJson()
    parser.push('{"done":{"x":1},"list":[1')
    const before = parser.value() as { done: Json; list: Json }
    const copy = structuredClone(before)
    parser.push(',2],"more":true}')
    expect(before).toEqual(copy)
    expect((parser.value() as { done: Json }).done).toBe(before.done)
  })

  it('returns a list as it was, however late it is read', () => {
    const parser = createPartialJson()
    parser.push('{"list":[1,{"a":"x')
    const early = parser.value() as { list: Json }
    parser.push('yz"},3],"items":[{"last":1')
    expect(JSON.stringify(early)).toBe('{"list":[1,{"a":"x"}]}')
    expect(early.list).toBe(early.list)
    expect(parser.value()).toEqual({ list: [1, { a: 'xyz' }, 3], items: [{ last: 1 }] })
  })

  it('keeps the value so far if the rest is not JSON', () => {
    expect(valueAfter('{"a":1, oops "b":2}')).toEqual({ a: 1 })
    expect(valueAfter('{"a":"x"} trailing')).toEqual({ a: 'x' })
    expect(valueAfter('{"b":1,"a":"\\q')).toEqual({ b: 1 })
  })

  it('treats a __proto__ key as JSON.parse does', () => {
    const value = valueAfter('{"__proto__":{"polluted":true}}') as object
    expect(Object.hasOwn(value, '__proto__')).toBe(true)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
