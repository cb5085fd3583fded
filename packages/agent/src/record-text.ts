import { isTooDeep } from '@millrace/core/json'

/**
 * The JSON of a value of a program, on one line. What JSON cannot hold is written as what it shows: an error as its name
 * and message, bytes as base64, a large integer as text, a map as an object, a set as a list. What contains itself is left
 * out. Throws if nothing of it can be written.
 */
export function recordText(value: unknown): string {
  const text = JSON.stringify(value, createReplacer())
  if (text === undefined) throw new TypeError(`A value of type ${typeof value} is no record.`)
  if (isTooDeep(text)) throw new TypeError('A record is nested too deep.')
  return text
}

type Replacer = (this: unknown, key: string, value: unknown) => unknown

function createReplacer(): Replacer {
  /** The values around the one that is written, outermost first. */
  const around: unknown[] = []
  return function (this: unknown, key, value) {
    while (around.length > 0 && around.at(-1) !== this) around.pop()
    // `toJSON` has been called by now: a Buffer would be a list of numbers.
    const own = (this as { readonly [field: string]: unknown })[key]
    const plain = plainOf(own instanceof Uint8Array ? own : value)
    if (typeof plain !== 'object' || plain === null) return plain
    if (around.includes(plain)) return undefined
    around.push(plain)
    return plain
  }
}

function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Error) return errorOf(value)
  if (value instanceof Map) return Object.fromEntries(value)
  return value instanceof Set ? [...value] : value
}

/** Its own fields, such as a code, beside those that an error hides. The stack names files of the server. */
function errorOf(error: Error): object {
  const { stack: _stack, ...fields } = error as Error & { readonly [field: string]: unknown }
  return { ...fields, name: error.name, message: error.message }
}
