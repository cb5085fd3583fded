import type { Verdict } from './law.ts'
import { same } from './verdicts.ts'

/** What a test may expect of a value. Each throws an error that names the first difference. */
interface Expectation {
  /** The same value, or the same object. */
  toBe(expected: unknown): void
  /** Equal at any depth; a field that is undefined counts as absent, and classes are not compared. */
  toEqual(expected: unknown): void
  /** Equal at any depth, undefined fields and classes included. */
  toStrictEqual(expected: unknown): void
  /** An object whose fields of these names are equal to these. */
  toMatchObject(expected: Fields): void
  toHaveLength(expected: number): void
  toBeDefined(): void
  toBeUndefined(): void
}

type Fields = { readonly [field: string]: unknown }

/** The same under every test runner. `when` begins the message of a failure. */
export function expect(actual: unknown, when = 'the value'): Expectation {
  function judge(verdict: Verdict, check: (expected: never) => void): void {
    if (verdict !== undefined) throw failure(verdict, check)
  }
  const expectation: Expectation = {
    toBe(expected) {
      judge(Object.is(actual, expected) ? undefined : notTheSame(actual, expected, when), expectation.toBe)
    },
    toEqual(expected) {
      judge(same(plain(actual), plain(expected), when), expectation.toEqual)
    },
    toStrictEqual(expected) {
      judge(same(actual, expected, when), expectation.toStrictEqual)
    },
    toMatchObject(expected) {
      const fields = Object.keys(expected).map((field) => [field, (actual as Fields | undefined)?.[field]])
      judge(same(plain(Object.fromEntries(fields)), plain(expected), when), expectation.toMatchObject)
    },
    toHaveLength(expected) {
      const { length } = (actual ?? {}) as { readonly length?: number }
      judge(same(length, expected, `the length of ${when}`), expectation.toHaveLength)
    },
    toBeDefined() {
      judge(actual === undefined ? `${when} is undefined` : undefined, expectation.toBeDefined)
    },
    toBeUndefined() {
      judge(same(actual, undefined, when), expectation.toBeUndefined)
    },
  }
  return expectation
}

/** Fails with these sentences, unless there are none. */
export function expectNone(problems: readonly string[]): void {
  if (problems.length === 0) return
  throw failure(problems.join('\n'), expectNone)
}

/** A message alone: both runners would print the fields of Node's own class after it. The stack begins in the test. */
function failure(message: string, check: (...values: never[]) => void): Error {
  const error = Object.assign(new Error(message), { name: 'AssertionError' })
  Error.captureStackTrace(error, check)
  return error
}

const notTheSame = (actual: unknown, expected: unknown, when: string) =>
  same(actual, expected, when) ?? `${when}: it is equal, but not the same object`

/** A value without undefined fields, its objects without a class; what is neither object nor array stays as it is. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (Object.prototype.toString.call(value) !== '[object Object]') return value
  const fields = Object.entries(value as Fields).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(fields.map(([field, inner]) => [field, plain(inner)]))
}
