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

/** A call whose arguments are not complete. */
export interface OpenCall {
  readonly callId: string
  readonly name: string
  readonly wholeArgs: Json
  input: PartialInput | undefined
  /** A signature that came with a later piece. */
  signature: string | undefined
}

/** The largest index in a list, because the stream chooses the index. */
const MAX_LENGTH = 100_000

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/gy

export function createPartialInput(): PartialInput {
  const root: { value: Json | undefined } = { value: undefined }
  const writer = createWriter(root)
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
      const isNext = isContinuation && jsonPath === lastPath
      const lead = isNext ? '' : writer.leadTo(path)
      if (!setAtPath(root, path, value, isContinuation)) return undefined
      growing.delete(jsonPath)
      if (typeof value === 'string' && willContinue) growing.add(jsonPath)
      lastPath = jsonPath
      return writer.write(path, lead, value, isNext, growing.has(jsonPath))
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

/**
 * Writes values as one JSON text while they come in the order of that text. From the first value out of order on,
 * nothing more is written, because the input at the end is whole.
 */
function createWriter(root: { readonly value: Json | undefined }) {
  /** The path of the last value that was written. */
  let last: readonly Key[] = []
  let inText = false
  let isInOrder = true

  /** The end of an open text, and of the containers around the last value that are deeper than `depth`. */
  function closeTo(depth: number): string {
    const ends = last.slice(depth).map((key) => (typeof key === 'number' ? ']' : '}'))
    return `${inText ? '"' : ''}${ends.reverse().join('')}`
  }

  return {
    /** The text before the value at a path that is not set yet; undefined if the path is out of order. */
    leadTo(path: readonly Key[]): string | undefined {
      if (last.length === 0) return opening(path)
      const depth = path.findIndex((key, index) => key !== last[index])
      const key = path[depth] ?? ''
      const container = path.slice(0, depth).reduce<unknown>((inner, step) => (inner as never)[step], root.value)
      const isNext = Array.isArray(container) ? key === container.length : isNewField(container, key)
      const opened = opening(path.slice(depth + 1))
      if (depth === -1 || !isNext || opened === undefined) return undefined
      return `${closeTo(depth + 1)},${typeof key === 'number' ? '' : `${JSON.stringify(key)}:`}${opened}`
    },
    write(path: readonly Key[], lead: string | undefined, value: Json, isNext: boolean, staysOpen: boolean): string {
      isInOrder &&= lead !== undefined
      if (!isInOrder) return ''
      last = path
      const isText = typeof value === 'string'
      inText = isText && staysOpen
      if (!isText) return `${lead}${JSON.stringify(value)}`
      return `${lead}${isNext ? '' : '"'}${JSON.stringify(value).slice(1, -1)}${staysOpen ? '' : '"'}`
    },
    end: () => (isInOrder ? closeTo(0) : ''),
  }
}

const isNewField = (container: unknown, key: Key) => isJsonObject(container) && !Object.hasOwn(container, key)

/** The beginnings of the containers of a path; undefined if a list does not begin with its first element. */
function opening(path: readonly Key[]): string | undefined {
  if (path.some((key) => typeof key === 'number' && key > 0)) return undefined
  return path.map((key) => (typeof key === 'number' ? '[' : `{${JSON.stringify(key)}:`)).join('')
}
