import { remember, rememberNew } from '../../data/remember.ts'

/** Recent values by id. An id that returns after it was forgotten counts as new. */
export interface Recent<Value> {
  get(id: string): Value | undefined
  has(id: string): boolean
  add(id: string, value: Value): void
  /** As `add`, for an id that is not there. */
  addNew(id: string, value: Value): void
}

export function createRecent<Value>(): Recent<Value> {
  const values = new Map<string, Value>()
  return {
    get: (id) => values.get(id),
    has: (id) => values.has(id),
    add(id, value) {
      remember(values, id, value)
    },
    addNew: (id, value) => rememberNew(values, id, value),
  }
}

/** Makes ids unique within a run. */
export interface Ids {
  /** The id itself, or the first of `id~2`, `id~3`, … that is free; from now on it is taken. */
  claim(id: string): string
}

export function createIds(): Ids {
  /** Ids that are taken, each with the number to try next: a stream may use one id for every call of a long run. */
  const taken = createRecent<number>()
  return {
    claim(id) {
      let number = taken.get(id)
      if (number === undefined) {
        taken.addNew(id, 2)
        return id
      }
      while (taken.has(`${id}~${number}`)) number++
      const free = `${id}~${number}`
      taken.add(id, number + 1)
      taken.addNew(free, 2)
      return free
    },
  }
}
