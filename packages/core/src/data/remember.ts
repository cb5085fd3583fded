/** How many things of one kind are remembered where nobody says otherwise: an endless stream must not grow. */
const DEFAULT_MAX = 8192

/** Remembers a value under its key, as the newest; beyond `most` the oldest is forgotten. Returns the value. */
export function remember<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, max = DEFAULT_MAX): Value {
  values.delete(key)
  values.set(key, value)
  forgetOldest(values, max)
  return value
}

/** As `remember`, for what is only known or not. */
export function rememberOne<Key>(keys: Set<Key>, key: Key, max = DEFAULT_MAX): void {
  keys.delete(key)
  keys.add(key)
  forgetOldest(keys, max)
}

/** Forgets what was put in first, until no more than `most` are left: for those whose order means something. */
export function forgetOldest<Key>(collection: Map<Key, unknown> | Set<Key>, max = DEFAULT_MAX): void {
  if (collection.size <= max) return
  for (const oldest of collection.keys()) {
    collection.delete(oldest)
    if (collection.size <= max) return
  }
}
