/** `0.9s`, `12s`, `1m 4s`, `2h 5m`. */
export function durationWords(durationMs: number): string {
  return durationMs < 9_950 ? `${(Math.max(0, durationMs) / 1000).toFixed(1)}s` : wholeSeconds(durationMs)
}

/** `0s`, `12s`, `1m 4s`, `2h 5m`: what counts on, counts in whole ones. */
export function wholeSeconds(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000)
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
