import { isJsonObject, type Json, MOST_LEVELS } from '../json.ts'

interface Operation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: Json
}

/** Receives the cost of a patch before each operation. Both methods throw `PatchRefused` if it is too high. */
export interface PatchMeter {
  /** The number of values that are copied or read. */
  work(values: number): void
  /** The number of characters, as JSON, by which the target grows. */
  grow(characters: number): void
}

/** The patch would make its target too large or too deep, or would take too much work. */
export class PatchRefused extends Error {}

/**
 * RFC 6902 on an immutable value: all operations, or none if one of them does not apply. Throws only `PatchRefused`, if
 * the meter refuses it or the result would be nested deeper than incoming JSON may be.
 */
export function applyJsonPatch(target: Json | undefined, patch: Json, meter: PatchMeter): Json | undefined {
  if (!Array.isArray(patch)) return target
  let value = target
  try {
    for (const step of patch) value = apply(value, step as never, meter)
    return value
  } catch (error) {
    if (error instanceof PatchRefused) throw error
    return target
  }
}

type Apply = (target: Json | undefined, operation: Operation, meter: PatchMeter) => Json | undefined

const operations: { readonly [op: string]: Apply } = {
  add: (target, { path, value = null }, meter) => edit(target, insertion(path, value, UNMETERED, meter)),
  replace: (target, { path, value = null }, meter) =>
    edit(target, { ...insertion(path, value, UNMETERED, meter), isInsert: false }),
  remove: (target, { path }, meter) => edit(target, removal(path, meter)),
  copy: (target, { path, from = '' }, meter) => edit(target, insertion(path, read(target, pathOf(from)), meter, meter)),
  move(target, { path, from = '' }, meter) {
    const value = read(target, pathOf(from))
    return edit(edit(target, removal(from, meter)), insertion(path, value, meter, meter))
  },
  test(target, { path, value = null }, meter) {
    if (!isEqual(read(target, pathOf(path)), value, meter)) throw new Error('test failed')
    return target
  },
}

function apply(target: Json | undefined, operation: Operation, meter: PatchMeter): Json | undefined {
  if (!Object.hasOwn(operations, operation.op)) throw new Error(`no operation ${operation.op}`)
  meter.work(1)
  return (operations[operation.op] as Apply)(target, operation, meter)
}

function pathOf(pointer: string): readonly string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new Error('not a pointer')
  const parts = pointer.slice(1).split('/', MOST_LEVELS + 1)
  if (parts.length > MOST_LEVELS) throw new Error('deeper than any value')
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(target: Json | undefined, path: readonly string[]): Json {
  let value: Json | undefined = target
  for (const part of path) value = childOf(value, part)
  if (value === undefined) throw new Error('nothing there')
  return value
}

function childOf(value: Json | undefined, part: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
  return (value as { readonly [key: string]: Json })[part]
}

/** One change at one path; the value undefined removes what is there. */
interface Change {
  readonly path: readonly string[]
  readonly value: Json | undefined
  readonly isInsert: boolean
  readonly meter: PatchMeter
}

function removal(pointer: string, meter: PatchMeter): Change {
  return { path: pathOf(pointer), value: undefined, isInsert: false, meter }
}

/** The cost of a patch's own values was paid when it was read: reading them once is not metered. */
const UNMETERED: Pick<PatchMeter, 'work'> = { work() {} }

function insertion(pointer: string, value: Json, looking: Pick<PatchMeter, 'work'>, meter: PatchMeter): Change {
  const path = pathOf(pointer)
  const { characters, levels } = measure(value, looking)
  if (path.length + levels > MOST_LEVELS) throw new PatchRefused('too deep')
  meter.grow(characters + (path.at(-1)?.length ?? 0) + KEY_SIGNS)
  return { path, value, isInsert: true, meter }
}

/** The target with one value changed. Only the containers on the path are copied. */
function edit(target: Json | undefined, change: Change, level = 0): Json | undefined {
  const { path, isInsert, meter } = change
  const part = path[level]
  if (part === undefined) return change.value
  if (typeof target !== 'object' || target === null) throw new Error('no container')
  const isLeaf = level === path.length - 1
  if (Array.isArray(target)) return editArray(target, change, level)
  if (!(isLeaf && isInsert) && !Object.hasOwn(target, part)) throw new Error('nothing there')
  const width = Object.keys(target).length
  meter.work(width > WIDE ? width * WIDE_COST : width)
  const value = edit(childOf(target, part), change, level + 1)
  if (value !== undefined) return { ...target, [part]: value }
  return Object.fromEntries(Object.entries(target).filter(([key]) => key !== part))
}

/** Engines keep an object of many keys as a table, which takes several times as long to copy. */
const WIDE = 1000
const WIDE_COST = 8

/** Copying a list item costs about this factor less than copying a key or reading a value. */
const ITEMS_AT_ONCE = 32

function editArray(target: readonly Json[], change: Change, level: number): Json {
  const { path, meter } = change
  const isInsert = change.isInsert && level === path.length - 1
  const index = path[level] === '-' ? target.length : Number(path[level])
  const limit = isInsert ? target.length : target.length - 1
  if (!Number.isInteger(index) || index < 0 || index > limit) throw new Error('no such index')
  meter.work(Math.ceil(target.length / ITEMS_AT_ONCE))
  const value = edit(isInsert ? undefined : target[index], change, level + 1)
  const copy = target.slice()
  copy.splice(index, isInsert ? 0 : 1, ...(value === undefined ? [] : [value]))
  return copy
}

/** The quotes of a key, its colon and a comma. */
const KEY_SIGNS = 4

export interface Measured {
  /** The length as JSON, roughly: a character that JSON escapes counts once. */
  readonly characters: number
  readonly levels: number
}

/** Walks a value once. A part that the value holds twice counts twice, as it does in JSON. */
export function measure(value: Json | undefined, meter: Pick<PatchMeter, 'work'>): Measured {
  meter.work(1)
  if (typeof value === 'string') return { characters: value.length + 2, levels: 0 }
  if (typeof value !== 'object' || value === null) return { characters: 5, levels: 0 }
  let characters = 2
  let levels = 0
  const add = (child: Json, key: number): void => {
    const inner = measure(child, meter)
    characters += inner.characters + key
    levels = Math.max(levels, inner.levels)
  }
  if (Array.isArray(value)) for (const child of value as readonly Json[]) add(child, 1)
  else for (const [key, child] of Object.entries(value)) add(child, key.length + KEY_SIGNS)
  return { characters, levels: levels + 1 }
}

/** Whether two values are the same JSON, whatever the order of their keys. */
function isEqual(one: Json, other: Json, meter: PatchMeter): boolean {
  meter.work(1)
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((child, index) => isEqual(child, other[index], meter))
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return one === other
  const keys = Object.keys(other)
  meter.work(keys.length)
  const has = (key: string) => Object.hasOwn(one, key) && isEqual(one[key] as Json, other[key] as Json, meter)
  return Object.keys(one).length === keys.length && keys.every(has)
}
