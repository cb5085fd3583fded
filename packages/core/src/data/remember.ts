/** How many things of one kind are remembered where nobody says otherwise: an endless stream must not grow. */
const MOST = 8192

/** Remembers a value under its key, as the newest; beyond `most` the oldest is forgotten. Returns the value. */
export function remember<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, most = MOST): Value {
  values.delete(key)
  values.set(key, value)
  forgetOldest(values, most)
  return value
}

/** As `remember`, for what is only known or not. */
export function rememberOne<Key>(keys: Set<Key>, key: Key, most = MOST): void {
  keys.delete(key)
  keys.add(key)
  forgetOldest(keys, most)
}

/** Forgets what was put in first, until no more than `most` are left: for those whose order means something. */
export function forgetOldest<Key>(held: Map<Key, unknown> | Set<Key>, most = MOST): void {
  if (held.size <= most) return
  for (const oldest of held.keys()) {
    held.delete(oldest)
    if (held.size <= most) return
  }
}
