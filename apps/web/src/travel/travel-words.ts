import type { Horizon } from '@millrace/core/travel'
import { clockText } from '../words/numbers.ts'

const numberText = (count: number) => count.toLocaleString('en')

const some = (count: number, one: string, several = `${one}s`) =>
  count === 0 ? [] : [`${numberText(count)} ${count === 1 ? one : several}`]

/** `542 entries later, 2 failures, 1 approval`. */
export function horizonText({ entries, failures, approvals }: Horizon, laterRuns: number): string {
  const first = entries === 0 ? [] : [`${some(entries, 'entry', 'entries')[0]} later`]
  const parts = [
    ...first,
    ...some(failures, 'failure'),
    ...some(approvals, 'approval'),
    ...some(laterRuns, 'later run'),
  ]
  return parts.length === 0 ? 'nothing later' : parts.join(', ')
}

/** `0:47.2, entry 742 of 1,284`: what the slider says. */
export function headText(ms: number, seq: number, length: number): string {
  return `${clockText(ms)}, entry ${numberText(seq)} of ${numberText(length)}`
}

/** `18 s`, `4 min`, `2 h`: how long a silence was. */
export function silenceText(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = seconds / 60
  return minutes < 90 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`
}
