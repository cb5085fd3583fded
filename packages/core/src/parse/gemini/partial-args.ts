import type { Json } from '../../json.ts'
import type { PartialArg } from './raw.ts'

type Key = string | number

/** The input of a call whose arguments arrive by JSON path, as a value and as the JSON text that grows into it. */
export interface PartialInput {
  /** The text that this piece adds; nothing where the piece is not understood. */
  add(piece: PartialArg): string | undefined
  /** The whole, and the text that was still missing. */
  end(): { readonly input: Json; readonly text: string }
}

/** The largest gap in a list: an index is a number that somebody else has chosen. */
const MAX_LENGTH = 100_000

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/gy

export function createPartialInput(): PartialInput {
  const root: { value: Json | undefined } = { value: undefined }
  const writer = createWriter()
  /** The path of a text of which more will come. */
  let growing: string | undefined

  return {
    add(piece) {
      const path = pathOf(piece.jsonPath)
      const value = givenBy(piece)
      if (path === undefined || path.length === 0 || value === undefined) return undefined
      const goesOn = growing === piece.jsonPath && typeof value === 'string'
      if (!place(root, path, value, goesOn)) return undefined
      growing = typeof value === 'string' && piece.willContinue ? piece.jsonPath : undefined
      return writer.write(path, value, goesOn, growing !== undefined)
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

function givenBy({ stringValue, numberValue, boolValue, ...rest }: PartialArg): Json | undefined {
  return stringValue ?? numberValue ?? boolValue ?? ('nullValue' in rest ? null : undefined)
}

/** Puts a value at its path, making what is missing on the way. */
function place(root: { value: Json | undefined }, path: readonly Key[], value: Json, goesOn: boolean): boolean {
  if (path.some((key) => typeof key === 'number' && key > MAX_LENGTH)) return false
  let holder: { [key: Key]: unknown } = root
  let at: Key = 'value'
  for (const key of path) {
    const inner = Object.hasOwn(holder, at) ? holder[at] : undefined
    const fits = typeof key === 'number' ? Array.isArray(inner) : typeof inner === 'object' && inner !== null
    const next = fits ? inner : typeof key === 'number' ? [] : {}
    if (!fits) set(holder, at, next)
    if (typeof key === 'number') while ((next as Json[]).length < key) (next as Json[]).push(null)
    holder = next as { [key: Key]: unknown }
    at = key
  }
  const before = Object.hasOwn(holder, at) ? holder[at] : undefined
  set(holder, at, goesOn && typeof before === 'string' ? before + (value as string) : value)
  return true
}

/** A key may be called `__proto__`: it is a key like any other. */
function set(holder: { [key: Key]: unknown }, key: Key, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
  } else holder[key] = value
}

interface Writer {
  write(path: readonly Key[], value: Json, goesOn: boolean, staysOpen: boolean): string
  end(): string
}

interface Open {
  readonly key: Key | undefined
  readonly isList: boolean
  readonly keys: Set<Key>
}

/**
 * Writes values as one JSON text, as long as they come in the order in which they stand in it. From the first that does
 * not, nothing more is written: the value tells the whole.
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

  /** What stands before the value of a key in the container that is open; nothing where it cannot come now. */
  function lead(key: Key): string | undefined {
    const container = stack.at(-1)
    if (container === undefined || container.isList !== (typeof key === 'number')) return undefined
    const { keys, isList } = container
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
      if (index < stack.length - 1) continue
      const before = lead(key)
      if (before === undefined) return undefined
      text += before
    }
    return text
  }

  return {
    write(path, value, goesOn, staysOpen) {
      if (!isInOrder) return ''
      const before = goesOn && inText ? '' : begin(path)
      isInOrder = before !== undefined
      if (before === undefined) return ''
      const isText = typeof value === 'string'
      const quote = isText && !(goesOn && inText) ? '"' : ''
      const written = isText
        ? `${quote}${JSON.stringify(value).slice(1, -1)}${staysOpen ? '' : '"'}`
        : JSON.stringify(value)
      inText = isText && staysOpen
      return before + written
    },
    end: () => (isInOrder ? closeTo(0) : ''),
  }
}
