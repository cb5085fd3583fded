import { describe, expect, it } from 'vitest'
import { applyJsonPatch, type PatchMeter } from './json-patch.ts'

const free: PatchMeter = { work() {}, grow() {} }

const target = { a: [1, 2, 3], b: { 'x/y': 1, 'm~n': 2 } }

describe('JSON patch', () => {
  it.each([
    ['a field more than expected', { b: { 'x/y': 1 } }],
    ['a field less than expected', { b: { 'x/y': 1, 'm~n': 2, z: 3 } }],
    ['a field with another value', { b: { 'x/y': 1, 'm~n': 3 } }],
    ['an object instead of a list', { a: { 0: 1, 1: 2, 2: 3 } }],
    ['a shorter list', { a: [1, 2] }],
    ['a longer list', { a: [1, 2, 3, 4] }],
  ] as const)('changes nothing after a test of %s', (_name, expected) => {
    const [[field, value] = ['', null]] = Object.entries(expected)
    const patch = [
      { op: 'test', path: `/${field}`, value },
      { op: 'remove', path: '/b' },
    ]
    expect(applyJsonPatch(target, patch as never, free)).toEqual(target)
  })

  it.each([
    ['add', [{ op: 'add', path: '/a/1', value: 9 }], { ...target, a: [1, 9, 2, 3] }],
    ['add at the end', [{ op: 'add', path: '/a/-', value: 9 }], { ...target, a: [1, 2, 3, 9] }],
    ['replace the whole', [{ op: 'replace', path: '', value: 7 }], 7],
    [
      'replace with escaped names',
      [{ op: 'replace', path: '/b/x~1y', value: 0 }],
      { ...target, b: { 'x/y': 0, 'm~n': 2 } },
    ],
    ['remove', [{ op: 'remove', path: '/b/m~0n' }], { ...target, b: { 'x/y': 1 } }],
    ['remove from a list', [{ op: 'remove', path: '/a/0' }], { ...target, a: [2, 3] }],
    ['move', [{ op: 'move', from: '/a/0', path: '/a/2' }], { ...target, a: [2, 3, 1] }],
    ['copy', [{ op: 'copy', from: '/a/0', path: '/c' }], { ...target, c: 1 }],
    [
      'a test of an object in another order, then change',
      [
        { op: 'test', path: '/b', value: { 'm~n': 2, 'x/y': 1 } },
        { op: 'remove', path: '/a' },
      ],
      { b: target.b },
    ],
    [
      'test, then change',
      [
        { op: 'test', path: '/a/0', value: 1 },
        { op: 'remove', path: '/b' },
      ],
      { a: [1, 2, 3] },
    ],
  ] as const)('applies %s and leaves the target unchanged', (_name, patch, expected) => {
    const before = structuredClone(target)
    expect(applyJsonPatch(target, patch as never, free)).toEqual(expected)
    expect(target).toEqual(before)
  })

  it.each([
    [
      'a test that fails',
      [
        { op: 'remove', path: '/a' },
        { op: 'test', path: '/b', value: 1 },
      ],
    ],
    ['a path that does not exist', [{ op: 'replace', path: '/nope', value: 1 }]],
    ['an index out of range', [{ op: 'add', path: '/a/9', value: 1 }]],
    ['an operation that does not exist', [{ op: 'toString', path: '' }]],
    ['a patch that is not a list', { op: 'add' }],
    ['junk', [null]],
    ['a test of a list that is longer', [{ op: 'test', path: '/a', value: [1, 2] }]],
    ['a test of an object with other keys', [{ op: 'test', path: '/b', value: { 'x/y': 1, o: 2 } }]],
    ['a path that is deeper than any value', [{ op: 'add', path: '/a'.repeat(600), value: 1 }]],
  ] as const)('changes nothing for %s', (_name, patch) => {
    expect(applyJsonPatch(target, patch as never, free)).toBe(target)
  })

  it('finds every key by its escaped name, and no other', () => {
    const keys = ['', '~', '/', '~1', '~0', '~01', 'a~1b', 'a/b', 'a~b', '-', '0', '__proto']
    const all = Object.fromEntries(keys.map((key, index) => [key, index]))
    for (const key of keys) {
      const path = `/${[...key].map((sign) => ({ '~': '~0', '/': '~1' })[sign] ?? sign).join('')}`
      expect(applyJsonPatch(all, [{ op: 'replace', path, value: 'new' }], free)).toEqual({ ...all, [key]: 'new' })
      const { [key]: _gone, ...others } = all
      expect(applyJsonPatch(all, [{ op: 'remove', path }], free)).toEqual(others)
      expect(applyJsonPatch(others, [{ op: 'add', path, value: all[key] ?? 0 }], free)).toEqual(all)
    }
  })
})
