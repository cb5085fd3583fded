import { sample } from './seeded.ts'

/** One way to damage a value. */
export interface Mangling {
  /** Where and how, for the message of a failure. */
  readonly what: string
  apply(): unknown
}

type Path = readonly (string | number)[]

const MAX_DEPTH = 8
const MAX_PATHS = 2_000

const REMOVED = Symbol('removed')

const damages: { readonly [how: string]: (value: unknown) => unknown } = {
  removed: () => REMOVED,
  nulled: () => null,
  'of another type': (value) => (typeof value === 'string' ? 7 : 'seven'),
  'of another shape': (value) => (Array.isArray(value) ? { 0: value[0] } : [value]),
}

/** Each property of a value removed, nulled, or of a wrong type, at every depth; at most `count` of them. */
export function manglingsOf(value: unknown, count: number, seed: number): readonly Mangling[] {
  const all = pathsOf(value).flatMap((path) =>
    Object.entries(damages)
      .filter(([how]) => path.length > 0 || how !== 'removed')
      .map(([how, damage]) => ({
        what: `${path.join('.') || 'the value'} ${how}`,
        apply: () => changed(value, path, damage),
      })),
  )
  return sample(all, count, seed)
}

/** Breadth first, so that the limit cuts off the deepest paths. */
function pathsOf(value: unknown): readonly Path[] {
  const paths: Path[] = [[]]
  for (const path of paths) {
    if (paths.length >= MAX_PATHS || path.length >= MAX_DEPTH) break
    const inner = valueAt(value, path)
    if (typeof inner === 'object' && inner !== null) {
      for (const key of Object.keys(inner)) paths.push([...path, Array.isArray(inner) ? Number(key) : key])
    }
  }
  return paths
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner, key) => (inner as { [key: string | number]: unknown })[key], value)
}

/** A copy of the value, damaged at one path. */
function changed(value: unknown, path: Path, damage: (value: unknown) => unknown): unknown {
  const [key, ...innerPath] = path
  if (key === undefined) return damage(value)
  const before = (value as { [key: string | number]: unknown })[key]
  const after = innerPath.length === 0 ? damage(before) : changed(before, innerPath, damage)
  if (Array.isArray(value)) return value.flatMap((item, at) => (at !== key ? [item] : after === REMOVED ? [] : [after]))
  const { [key]: _before, ...others } = value as { [key: string | number]: unknown }
  return after === REMOVED ? others : { ...others, [key]: after }
}
