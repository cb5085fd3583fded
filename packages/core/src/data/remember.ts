/** The default maximum number of entries of one kind: memory must not grow with an endless stream. */
const DEFAULT_MAX = 8192

/** Remembers a value under its key, as the newest; beyond `max` the oldest is forgotten. Returns the value. */
export function remember<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, max = DEFAULT_MAX): Value {
  values.delete(key)
  values.set(key, value)
  forgetOldest(values, max)
  return value
}

/** As `remember`, for a key that is not there: without looking for it. */
export function rememberNew<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, max = DEFAULT_MAX): void {
  values.set(key, value)
  forgetOldest(values, max)
}

/** As `remember`, for keys without values. */
export function rememberOne<Key>(keys: Set<Key>, key: Key, max = DEFAULT_MAX): void {
  keys.delete(key)
  keys.add(key)
  forgetOldest(keys, max)
}

/** Removes the oldest entries until at most `max` are left, for collections whose order matters. */
export function forgetOldest<Key>(collection: Map<Key, unknown> | Set<Key>, max = DEFAULT_MAX): void {
  if (collection.size <= max) return
  for (const oldest of collection.keys()) {
    collection.delete(oldest)
    if (collection.size <= max) return
  }
}
