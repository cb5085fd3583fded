import type { Json } from './json.ts'

interface Operation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: Json
}

/** RFC 6902 on an immutable value: all operations, or none if one of them does not apply. */
export function applyJsonPatch(target: Json | undefined, patch: Json): Json | undefined {
  if (!Array.isArray(patch)) return target
  try {
    return (patch as readonly Json[]).reduce<Json | undefined>((value, step) => apply(value, step as never), target)
  } catch {
    return target
  }
}

const operations: { readonly [op: string]: (target: Json | undefined, operation: Operation) => Json | undefined } = {
  add: (target, { path, value = null }) => edit(target, pathOf(path), () => value, true),
  replace: (target, { path, value = null }) => edit(target, pathOf(path), () => value, false),
  remove: (target, { path }) => edit(target, pathOf(path), () => undefined, false),
  copy: (target, { path, from = '' }) => edit(target, pathOf(path), () => read(target, pathOf(from)), true),
  move(target, { path, from = '' }) {
    const value = read(target, pathOf(from))
    return edit(
      edit(target, pathOf(from), () => undefined, false),
      pathOf(path),
      () => value,
      true,
    )
  },
  test(target, { path, value = null }) {
    if (JSON.stringify(read(target, pathOf(path))) !== JSON.stringify(value)) throw new Error('test failed')
    return target
  },
}

function apply(target: Json | undefined, operation: Operation): Json | undefined {
  if (!Object.hasOwn(operations, operation.op)) throw new Error(`no operation ${operation.op}`)
  return (operations[operation.op] as (typeof operations)[string])(target, operation)
}

function pathOf(pointer: string): readonly string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new Error('not a pointer')
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
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

/** The target with one place changed; a change to nothing removes it. Only what lies on the path is copied. */
function edit(
  target: Json | undefined,
  path: readonly string[],
  change: () => Json | undefined,
  isInsert: boolean,
): Json | undefined {
  const [part, ...rest] = path
  if (part === undefined) return change()
  if (typeof target !== 'object' || target === null) throw new Error('no container')
  if (Array.isArray(target)) return editArray(target, part, rest, change, isInsert)
  if ((rest.length > 0 || !isInsert) && !Object.hasOwn(target, part)) throw new Error('nothing there')
  const value = edit(childOf(target, part), rest, change, isInsert)
  if (value !== undefined) return { ...target, [part]: value }
  return Object.fromEntries(Object.entries(target).filter(([key]) => key !== part))
}

function editArray(
  target: readonly Json[],
  part: string,
  rest: readonly string[],
  change: () => Json | undefined,
  isInsert: boolean,
): Json {
  const index = part === '-' ? target.length : Number(part)
  const isLeaf = rest.length === 0
  const limit = isLeaf && isInsert ? target.length : target.length - 1
  if (!Number.isInteger(index) || index < 0 || index > limit) throw new Error('no such index')
  const value = edit(isLeaf && isInsert ? undefined : target[index], rest, change, isInsert)
  const after = target.slice(isLeaf && isInsert ? index : index + 1)
  return [...target.slice(0, index), ...(value === undefined ? [] : [value]), ...after]
}
