type Absent = null | undefined

/** `T` with each field that may be null or undefined made optional. */
export type Present<T> = {
  [K in keyof T as Extract<T[K], Absent> extends never ? K : never]: T[K]
} & {
  [K in keyof T as Extract<T[K], Absent> extends never ? never : K]?: Exclude<T[K], Absent>
}

/** The fields that have a value: in our vocabulary an absent field is left out, never `null`. */
export function present<T extends object>(fields: T): Present<T> {
  const kept: Record<string, unknown> = {}
  for (const key in fields) {
    const value = fields[key]
    if (value !== null && value !== undefined) kept[key] = value
  }
  return kept as Present<T>
}
