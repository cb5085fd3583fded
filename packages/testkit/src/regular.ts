import type { Verdict } from './law.ts'

/**
 * The first place at which values that ought to repeat do not: it is neither the same in all of them, nor a number that
 * counts on, nor an id that is made anew each time.
 */
export function irregularityIn(values: readonly unknown[], path = ''): Verdict {
  const objects = values.filter((value) => typeof value === 'object' && value !== null)
  if (objects.length < values.length) return isRegular(values) ? undefined : sentenceOf(values, path)
  for (const key of new Set(objects.flatMap((value) => Object.keys(value as object)))) {
    const inner = objects.map((value) => (value as { readonly [key: string]: unknown })[key])
    const problem = irregularityIn(inner, `${path}.${key}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** For each id in a value, in order, the place of the first that is the same. */
export function identitiesOf(value: unknown): readonly number[] {
  const ids = idsIn(value, '')
  return ids.map((id) => ids.indexOf(id))
}

function idsIn(value: unknown, name: string): readonly string[] {
  if (typeof value === 'string') return /id$/i.test(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => idsIn(inner, Array.isArray(value) ? name : key))
}

function isRegular(values: readonly unknown[]): boolean {
  if (new Set(values.map((value) => JSON.stringify(value))).size === 1) return true
  // A count that is not there yet is zero.
  const counts = values.map((value) => value ?? 0)
  if (counts.every((count) => typeof count === 'number')) return isProgression(counts)
  return values.every((value) => typeof value === 'string') && areCounted(values)
}

/** Whether texts differ in their numbers alone, which count on, or are ids that are made anew. */
function areCounted(texts: readonly string[]): boolean {
  if (texts.every((text) => HASHED.test(text))) return new Set(texts).size === texts.length
  if (new Set(texts.map(withoutNumbers)).size > 1) return isNumberedLater(texts)
  const numbers = texts.map(numbersIn)
  return (numbers[0] ?? []).every((_, index) => isProgression(numbers.map((list) => list[index] ?? 0)))
}

/** Whether a name gets a number the second time, which counts on from there. */
function isNumberedLater([first = '', ...others]: readonly string[]): boolean {
  if (others.some((text) => !text.startsWith(first) || !NUMBER.test(text.slice(first.length)))) return false
  const [second = 0, third = 0] = others.map((text) => Number(text.slice(first.length + 1)))
  return [0, 1].includes(second - (third - second))
}

const withoutNumbers = (text: string) => text.replace(/\d+/g, '0')
const numbersIn = (text: string) => text.match(/\d+/g)?.map(Number) ?? []

/** An id that is made of hexadecimal digits. */
const HASHED = /_[0-9a-f]{8}$/
const NUMBER = /^[.-]\d+$/

function isProgression(numbers: readonly number[]): boolean {
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0))
  return steps.every((step) => Math.abs(step - (steps[0] ?? 0)) < 1e-9)
}

function sentenceOf(values: readonly unknown[], path: string): string {
  const shown = values.map((value) => (JSON.stringify(value) ?? 'nothing').slice(0, 100))
  return `${path || 'all'} is ${shown.join(', then ')}`
}
