import type { Json } from '../../json.ts'

/** An array or object that is still open, and the key of its next value. */
export interface Container {
  readonly items: Json[] | undefined
  readonly fields: Record<string, Json> | undefined
  key: string
}

/** A value that is built when it is first read. */
export type Later = () => Json

/** Adds a complete value. */
export function put({ items, fields, key }: Container, value: Json): void {
  if (items !== undefined) items.push(value)
  else if (fields !== undefined) assign(fields, key, value)
}

/**
 * The current value of a container, with its unfinished inner value. An array is not copied yet: items are only ever
 * added, so the copy can wait until it is read, and a long list does not become quadratic (bench/rows/arguments.ts).
 */
export function withInner({ items, fields, key }: Container, inner: Json | Later | undefined): Json | Later {
  if (items === undefined) return copyOf(fields ?? {}, key, inner)
  const { length } = items
  const last = settled(inner)
  return () => (last === undefined ? items.slice(0, length) : [...items.slice(0, length), last])
}

export function settled(value: Json | Later | undefined): Json | undefined {
  return typeof value === 'function' ? value() : value
}

function copyOf(fields: Record<string, Json>, key: string, inner: Json | Later | undefined): Json {
  const copy = { ...fields }
  if (typeof inner === 'function') defineLater(copy, key, inner)
  else if (inner !== undefined) assign(copy, key, inner)
  return copy
}

/** A field that builds its value when it is first read, and keeps it. */
function defineLater(fields: Record<string, Json>, key: string, later: Later): void {
  let value: Json | undefined
  const get = () => {
    value ??= later()
    return value
  }
  Object.defineProperty(fields, key, { get, enumerable: true, configurable: true })
}

/** Every key becomes an own field, `__proto__` too. */
function assign(fields: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') fields[key] = value
  else Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true })
}
