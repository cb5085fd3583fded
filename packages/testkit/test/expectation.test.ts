import { describe, it, expect as ofVitest } from 'vitest'
import { expect, expectNone } from '../src/expectation.ts'

class Row {
  readonly id = 1
}

/** Values that are equal in some way, or in none. */
const pairs: readonly (readonly [unknown, unknown])[] = [
  [1, 1],
  [0, -0],
  ['1', 1],
  [undefined, null],
  [{ a: 1 }, { a: 1 }],
  [{ a: 1, b: undefined }, { a: 1 }],
  [{ a: { b: undefined } }, { a: {} }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [[{ a: undefined }], [{}]],
  [[1, 2], [1]],
  [[1, undefined], [1]],
  [Object.create(null), {}],
  [new Row(), { id: 1 }],
  [new Uint8Array([1, 2]), new Uint8Array([1, 3])],
  [new Map([[1, { a: 1 }]]), new Map([[1, { a: 2 }]])],
  [new Error('one'), 'one'],
]

const passes = (check: () => void) => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

describe('the expectations of the suites', () => {
  it.each(['toBe', 'toEqual', 'toStrictEqual'] as const)('judge as vitest does: %s', (matcher) => {
    for (const [actual, expected] of pairs) {
      const own = passes(() => expect(actual)[matcher](expected))
      ofVitest([actual, expected, own]).toStrictEqual([
        actual,
        expected,
        passes(() => ofVitest(actual)[matcher](expected)),
      ])
    }
  })

  it('judge single fields, lengths and undefined', () => {
    ofVitest(passes(() => expect({ a: 1, b: 2 }).toMatchObject({ a: 1 }))).toBe(true)
    for (const actual of [{ a: 2 }, {}, undefined])
      ofVitest(passes(() => expect(actual).toMatchObject({ a: 1 }))).toBe(false)
    ofVitest([[1], [1, 2], undefined].map((actual) => passes(() => expect(actual).toHaveLength(1)))).toEqual([
      true,
      false,
      false,
    ])
    ofVitest([undefined, null].map((actual) => passes(() => expect(actual).toBeUndefined()))).toEqual([true, false])
    ofVitest([undefined, null].map((actual) => passes(() => expect(actual).toBeDefined()))).toEqual([false, true])
  })

  it('name the first difference, and nothing of what is equal', () => {
    const entries = (text: string) => [
      { seq: 1, event: { text: 'same' } },
      { seq: 2, event: { text } },
    ]
    ofVitest(() => expect(entries('a'), 'step 3').toEqual(entries('b'))).toThrow(
      /^step 3: \.1\.event\.text is "a", expected "b"$/,
    )
    ofVitest(() => expect({}).toBe({})).toThrow('the value: it is equal, but not the same object')
    ofVitest(() => expect(new TypeError('broken')).toEqual('run-closed')).toThrow('TypeError: broken')
  })

  it('fail with all problems, one a line', () => {
    ofVitest(() => expectNone([])).not.toThrow()
    ofVitest(() => expectNone(['one', 'two'])).toThrow(/^one\ntwo$/)
  })
})
