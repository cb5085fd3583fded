type Absent = null | undefined

/** `T` where a field that may be null or undefined is optional instead. */
export type Present<T> = {
  [K in keyof T as Extract<T[K], Absent> extends never ? K : never]: T[K]
} & {
  [K in keyof T as Extract<T[K], Absent> extends never ? never : K]?: Exclude<T[K], Absent>
}

/** The fields that are there: absent means absent in our vocabulary, never `null`. */
export function present<T extends object>(fields: T): Present<T> {
  const kept: Record<string, unknown> = {}
  for (const key in fields) {
    const value = fields[key]
    if (value !== null && value !== undefined) kept[key] = value
  }
  return kept as Present<T>
}
