import { isDeepStrictEqual } from 'node:util'
import type { StreamEvent } from '@millrace/core/events'
import { problemsOf } from './balance.ts'
import type { Verdict } from './law.ts'

/** Undefined if two values are equal, else the first difference. */
export function same(actual: unknown, expected: unknown, when: string): Verdict {
  return isDeepStrictEqual(actual, expected) ? undefined : `${when}: ${difference(actual, expected)}`
}

/** The first problem of a stream. */
export function problemIn(events: readonly StreamEvent[], when = 'whole'): Verdict {
  const [problem] = problemsOf(events)
  return problem === undefined ? undefined : `${when}: ${problem}`
}

/** The verdict of `act`, or the error that it throws. */
export function doesNotThrow(act: () => Verdict, when: string): Verdict {
  try {
    return act()
  } catch (error) {
    return `${when}: ${String(error)}`
  }
}

/** The first difference of two values. */
function difference(actual: unknown, expected: unknown, path = ''): string {
  const bothObjects = typeof actual === 'object' && typeof expected === 'object' && actual !== null && expected !== null
  if (!bothObjects) return `${path || 'value'} is ${short(actual)}, expected ${short(expected)}`
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)])
  for (const key of keys) {
    const [one, other] = [actual, expected].map((value) => (value as { readonly [key: string]: unknown })[key])
    if (!isDeepStrictEqual(one, other)) return difference(one, other, `${path}.${key}`)
  }
  return `${path || 'value'}: only absent and undefined fields, or classes, differ`
}

const short = (value: unknown) =>
  (value instanceof Error ? String(value) : (JSON.stringify(value) ?? 'undefined')).slice(0, 160)
