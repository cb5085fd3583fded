import type { Json } from '../../json.ts'

/** An array or object that is still open, and the key under which its next value goes. */
export interface Container {
  readonly items: Json[] | undefined
  readonly fields: Record<string, Json> | undefined
  key: string
}

/** A value that is put together when somebody looks at it. */
export type Later = () => Json

/** Gives a value its place, for good. */
export function put({ items, fields, key }: Container, value: Json): void {
  if (items !== undefined) items.push(value)
  else if (fields !== undefined) assign(fields, key, value)
}

/**
 * A container as it stands now, with what is under way inside it. Of an array nothing is copied yet: items are only ever
 * added, so the copy can wait until somebody looks, and a long list does not become quadratic (bench/rows/arguments.ts).
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

/** A field that takes its value at the first look and keeps it. */
function defineLater(fields: Record<string, Json>, key: string, later: Later): void {
  let value: Json | undefined
  const get = () => {
    value ??= later()
    return value
  }
  Object.defineProperty(fields, key, { get, enumerable: true, configurable: true })
}

/** Any key is a field of its own, `__proto__` too. */
function assign(fields: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') fields[key] = value
  else Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true })
}
