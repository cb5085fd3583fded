import { expect, it } from 'vitest'
import { isSameJson } from './same-json.ts'

it.each([
  [true, { a: 1, b: [1, { c: null, d: 'x' }] }, { b: [1, { d: 'x', c: null }], a: 1 }],
  [true, { a: undefined, b: 1 }, { b: 1 }],
  [true, {}, {}],
  [false, { a: 1 }, { a: 2 }],
  [false, { a: 1 }, { a: 1, b: 1 }],
  [false, { a: 1, b: 1 }, { a: 1 }],
  [false, { a: 1, c: 1 }, { a: 1, b: 1 }],
  [false, { a: [1, 2] }, { a: [2, 1] }],
  [false, { a: [1] }, { a: { 0: 1 } }],
  [false, { a: { 0: 1 } }, { a: [1] }],
  [false, { a: null }, { a: {} }],
  [false, { a: {} }, { a: null }],
  [false, { a: [1] }, { a: [1, 1] }],
  [false, { b: 1, a: '1' }, { a: 1, b: 1 }],
  [false, { toString: 1 }, { valueOf: 1 }],
])('is %s of %j and %j', (expected, one, other) => {
  expect(isSameJson(one, other)).toBe(expected)
})
