/** How many calls, lines and messages are remembered: an endless stream must not grow. */
const MAX_REMEMBERED = 8192

/** Remembers a value under its key; the oldest is forgotten where there are too many. */
export function remember<Value>(values: Map<string, Value>, key: string, value: Value, most = MAX_REMEMBERED): void {
  values.delete(key)
  values.set(key, value)
  if (values.size <= most) return
  for (const oldest of values.keys()) {
    values.delete(oldest)
    return
  }
}
