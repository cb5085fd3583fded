/** How many closed ids are remembered. An id that comes back after more than that is taken for a new one. */
const REMEMBERED = 8192

/** What was closed lately, so that an endless run does not grow without bound. */
export interface Recent<Value> {
  get(id: string): Value | undefined
  has(id: string): boolean
  add(id: string, value: Value): void
}

export function createRecent<Value>(limit = REMEMBERED): Recent<Value> {
  const values = new Map<string, Value>()
  return {
    get: (id) => values.get(id),
    has: (id) => values.has(id),
    add(id, value) {
      values.delete(id)
      values.set(id, value)
      if (values.size <= limit) return
      for (const oldest of values.keys()) {
        values.delete(oldest)
        break
      }
    },
  }
}

/** The id itself, or the first of `id~2`, `id~3`, … that is free: ids are unique within a run. */
export function freeId(id: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(id)) return id
  for (let n = 2; ; n++) {
    if (!isTaken(`${id}~${n}`)) return `${id}~${n}`
  }
}
