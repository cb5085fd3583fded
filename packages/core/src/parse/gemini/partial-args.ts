import { isJsonObject, type Json } from '../../json.ts'
import type { PartialArg } from './raw.ts'

type Key = string | number

/** The input of a call whose arguments arrive by JSON path, as a value and as growing JSON text. */
export interface PartialInput {
  /** The text that this argument adds; undefined if the argument is not understood. */
  add(partialArg: PartialArg): string | undefined
  /** The whole input, and the text that was still missing. */
  end(): { readonly input: Json; readonly text: string }
}

/** The largest index in a list, because the stream chooses the index. */
const MAX_LENGTH = 100_000

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/gy

export function createPartialInput(): PartialInput {
  const root: { value: Json | undefined } = { value: undefined }
  const writer = createWriter()
  /** The paths of the texts that are not complete. */
  const growing = new Set<string>()
  let lastPath: string | undefined

  return {
    add(partialArg) {
      const { jsonPath = '', willContinue } = partialArg
      const path = pathOf(jsonPath)
      const value = argValueOf(partialArg)
      if (path === undefined || path.length === 0 || value === undefined) return undefined
      const isContinuation = growing.has(jsonPath) && typeof value === 'string'
      if (!setAtPath(root, path, value, isContinuation)) return undefined
      growing.delete(jsonPath)
      if (typeof value === 'string' && willContinue) growing.add(jsonPath)
      const isNext = isContinuation && jsonPath === lastPath
      lastPath = jsonPath
      return writer.write(path, value, isNext, growing.has(jsonPath))
    },
    end: () => ({ input: root.value ?? {}, text: writer.end() }),
  }
}

/** `$.list[0]['a key']` → list, 0, a key. */
function pathOf(jsonPath: unknown): readonly Key[] | undefined {
  if (typeof jsonPath !== 'string' || !jsonPath.startsWith('$')) return undefined
  const keys: Key[] = []
  STEP.lastIndex = 1
  while (STEP.lastIndex < jsonPath.length) {
    const match = STEP.exec(jsonPath)
    if (match === null) return undefined
    const [, name, index, single, double] = match
    const quoted = single ?? double
    keys.push(index === undefined ? (name ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '') : Number(index))
  }
  return keys
}

function argValueOf({ stringValue, numberValue, boolValue, ...rest }: PartialArg): Json | undefined {
  return stringValue ?? numberValue ?? boolValue ?? ('nullValue' in rest ? null : undefined)
}

/**
 * Sets a value at its path and creates missing containers. Returns false if an index is too large, or if the path
 * contradicts an earlier one: the value would be lost, or replace another.
 */
function setAtPath(
  root: { value: Json | undefined },
  path: readonly Key[],
  value: Json,
  isContinuation: boolean,
): boolean {
  if (path.some((key) => typeof key === 'number' && key > MAX_LENGTH)) return false
  let holder: { [key: Key]: unknown } = root
  let at: Key = 'value'
  for (const key of path) {
    const inner = Object.hasOwn(holder, at) ? holder[at] : undefined
    const fits = typeof key === 'number' ? Array.isArray(inner) : isJsonObject(inner)
    if (!fits && inner !== undefined && inner !== null) return false
    const next = fits ? inner : typeof key === 'number' ? [] : {}
    if (!fits) set(holder, at, next)
    if (typeof key === 'number') while ((next as Json[]).length < key) (next as Json[]).push(null)
    holder = next as { [key: Key]: unknown }
    at = key
  }
  const before = Object.hasOwn(holder, at) ? holder[at] : undefined
  set(holder, at, isContinuation && typeof before === 'string' ? before + (value as string) : value)
  return true
}

/** A key may be `__proto__`, which is treated like any other key. */
function set(holder: { [key: Key]: unknown }, key: Key, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
  } else holder[key] = value
}

interface Writer {
  write(path: readonly Key[], value: Json, isContinuation: boolean, staysOpen: boolean): string
  end(): string
}

interface Open {
  readonly key: Key | undefined
  readonly isList: boolean
  readonly keys: Set<Key>
}

/**
 * Writes values as one JSON text while they come in the order of that text. From the first value out of order on,
 * nothing more is written, because the input at the end is whole.
 */
function createWriter(): Writer {
  const stack: Open[] = []
  let inText = false
  let isInOrder = true

  function closeTo(depth: number): string {
    let text = inText ? '"' : ''
    inText = false
    while (stack.length > depth) text += stack.pop()?.isList ? ']' : '}'
    return text
  }

  function open(key: Key | undefined, first: Key): string {
    const isList = typeof first === 'number'
    stack.push({ key, isList, keys: new Set() })
    return isList ? '[' : '{'
  }

  /** The text before the value of a key in the open container; undefined if the key is out of order. */
  function lead({ keys, isList }: Open, key: Key): string | undefined {
    if (keys.has(key) || (isList && key !== keys.size)) return undefined
    const comma = keys.size === 0 ? '' : ','
    keys.add(key)
    return isList ? comma : `${comma}${JSON.stringify(key)}:`
  }

  function begin(path: readonly Key[]): string | undefined {
    let depth = 1
    while (depth < stack.length && depth < path.length && stack[depth]?.key === path[depth - 1]) depth++
    let text = closeTo(depth)
    for (const [index, key] of path.entries()) {
      if (stack.length === index) text += open(path[index - 1], key)
      const container = stack[index]
      if (container === undefined || index < stack.length - 1) continue
      const before = lead(container, key)
      if (before === undefined) return undefined
      text += before
    }
    return text
  }

  return {
    write(path, value, isContinuation, staysOpen) {
      if (!isInOrder) return ''
      const before = isContinuation && inText ? '' : begin(path)
      isInOrder = before !== undefined
      if (before === undefined) return ''
      const isText = typeof value === 'string'
      const quote = isText && !(isContinuation && inText) ? '"' : ''
      const written = isText
        ? `${quote}${JSON.stringify(value).slice(1, -1)}${staysOpen ? '' : '"'}`
        : JSON.stringify(value)
      inText = isText && staysOpen
      return before + written
    },
    end: () => (isInOrder ? closeTo(0) : ''),
  }
}
