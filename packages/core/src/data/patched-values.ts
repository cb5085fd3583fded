import type { Json } from '../json.ts'
import { applyJsonPatch, measure, PatchRefused } from './json-patch.ts'
import { remember } from './remember.ts'

/** Values by name that patches change, within bounds: a few copy operations can make a value of any size. */
export interface PatchedValues {
  get(name: string): Json | undefined
  /** All values, immutable; the same object until one of them changes. */
  all(): { readonly [name: string]: Json }
  set(name: string, value: Json): void
  /**
   * Changes a value by a JSON patch. Returns false if the patch is refused, which leaves the value unchanged. A patch
   * that does not apply changes nothing either, but is not refused.
   */
  patch(name: string, patch: Json, initial?: Json): boolean
  /** The same values, which go on apart from these. */
  fork(): PatchedValues
}

/** The maximum size of a run's state, for the reader, which keeps a patch beyond it as `raw`, and for the fold. */
export const MAX_STATE = 8 * 1024 * 1024

export interface PatchLimits {
  /** The maximum number of characters, as JSON, of all patched values. A value that was set may be larger. */
  readonly maxSize: number
  /** How many values are held; the oldest is forgotten. */
  readonly maxValues: number
}

/** How many values patches may copy or read: this many at once, and this many more for each operation. */
const FREE_WORK = 1_000_000
const WORK_PER_OPERATION = 4096

interface ValuesState {
  readonly values: ReadonlyMap<string, Json>
  readonly sizes: ReadonlyMap<string, number>
  readonly total: number
  readonly workLeft: number
}

const EMPTY: ValuesState = { values: new Map(), sizes: new Map(), total: 0, workLeft: FREE_WORK }

export function createPatchedValues(limits: PatchLimits, before: ValuesState = EMPTY): PatchedValues {
  const { maxSize, maxValues } = limits
  const values = new Map(before.values)
  /** The size of each patched value, or more: what a patch removes is not subtracted. */
  const sizes = new Map(before.sizes)
  let { total, workLeft } = before
  let all: { readonly [name: string]: Json } | undefined

  /** A patch that fails is charged as well: it has done the work. */
  function work(amount: number): void {
    workLeft -= amount
    if (workLeft < 0) throw new PatchRefused('too much work')
  }

  const sizeOf = (value: Json | undefined) => measure(value, { work }).characters

  function hold(name: string, value: Json, size: number | undefined): void {
    all = undefined
    const [oldest] = values.size < maxValues || values.has(name) ? [] : values.keys()
    if (oldest !== undefined) setSize(oldest, undefined)
    // If no value is ever forgotten, values keep the order in which they were first set.
    if (maxValues === Number.POSITIVE_INFINITY) values.set(name, value)
    else remember(values, name, value, maxValues)
    setSize(name, size)
  }

  function setSize(name: string, size: number | undefined): void {
    total += (size ?? 0) - (sizes.get(name) ?? 0)
    if (size === undefined) sizes.delete(name)
    else sizes.set(name, size)
  }

  function apply(name: string, patch: Json, before: Json | undefined): void {
    const room = maxSize - total + (sizes.get(name) ?? 0)
    // A value that was set is measured once, which is in proportion to its length.
    let size = sizes.get(name) ?? measure(before, { work() {} }).characters
    // Removals are not counted until the end: while the patch applies, it may take up to twice the room.
    const grow = (characters: number): void => {
      size += characters
      if (size > 2 * room) throw new PatchRefused('too large')
    }
    const value = applyJsonPatch(before, patch, { work, grow })
    if (value === before || value === undefined) return
    if (size > room) size = sizeOf(value)
    if (size > room) throw new PatchRefused('too large')
    hold(name, value, size)
  }

  return {
    get: (name) => values.get(name),
    all() {
      all ??= Object.fromEntries(values)
      return all
    },
    set: (name, value) => hold(name, value, undefined),
    fork: () => createPatchedValues(limits, { values, sizes, total, workLeft }),
    patch(name, patch, initial) {
      workLeft = Math.max(0, workLeft)
      if (Array.isArray(patch)) workLeft += patch.length * WORK_PER_OPERATION
      try {
        apply(name, patch, values.get(name) ?? initial)
        return true
      } catch (error) {
        if (error instanceof PatchRefused) return false
        throw error
      }
    },
  }
}
