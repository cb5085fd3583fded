import { durationBetween, type Folded } from '@millrace/core/fold'

/** `0.9s`, `9.4s`, `12s`, `1m 4s`. */
export function durationText(durationMs: number): string {
  if (durationMs < 9_950) return `${(Math.max(0, durationMs) / 1000).toFixed(1)}s`
  return secondsText(durationMs)
}

/** Whole seconds: `0s`, `12s`, `1m 4s`. */
export function secondsText(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000))
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`
}

/** How long it took, if it has ended and the stream had a clock. */
export function durationOf({ startedAt, endedAt }: Pick<Folded, 'startedAt' | 'endedAt'>): number | undefined {
  return durationBetween(startedAt, endedAt)
}

/** `312 B`, `1.1 KB`, `2.4 MB`. */
export function bytesText(count: number): string {
  if (count < 1000) return `${count} B`
  const [value, unit] = count < 999_500 ? [count / 1000, 'KB'] : [count / 1_000_000, 'MB']
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
