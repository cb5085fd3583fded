/** `312`, `9.3k`, `79.6k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 1_000) return String(count)
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M']
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)}${unit}`
}

/** `$0.35`, or `<$0.01`. */
export function costText(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '<$0.01'
  return `$${dollars.toFixed(2)}`
}

/** `#1,284`. */
export const seqText = (seq: number): string => `#${seq.toLocaleString('en')}`

/** `0.9s`, `12s`, `1m 4s`, `2h 5m`. */
export function durationText(durationMs: number): string {
  return durationMs < 9_950 ? `${(Math.max(0, durationMs) / 1000).toFixed(1)}s` : secondsText(durationMs)
}

/** `0s`, `12s`, `1m 4s`, `2h 5m`: for running counters. */
export function secondsText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000)
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** `42ms`, `0.9s`, `13.1s`, `1m 4s`: for times that are compared with each other. */
export function spanText(durationMs: number): string {
  if (durationMs < 99.5) return `${Math.round(Math.max(0, durationMs))}ms`
  return durationMs < 59_950 ? `${(durationMs / 1000).toFixed(1)}s` : secondsText(durationMs)
}

/** `0:47.2`, `12:03.0`: how long after the beginning. */
export function clockText(durationMs: number): string {
  const tenths = Math.round(Math.max(0, durationMs) / 100)
  const seconds = (tenths % 600) / 10
  return `${Math.floor(tenths / 600)}:${seconds.toFixed(1).padStart(4, '0')}`
}
