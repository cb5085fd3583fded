import { durationBetween, type Folded, type ProcessingBlock, type ThinkingBlock } from '@millrace/core/fold'
import type { Labels } from './labels.ts'
import { type NumberLabels, numberText } from './numbers.ts'

/** `0.9s`, `9.4s`, `12s`, `1m 4s`. */
export function durationText(durationMs: number, labels: NumberLabels): string {
  if (durationMs < 9_950) return labels.seconds(numberText(Math.max(0, durationMs) / 1000, labels, 1))
  return secondsText(durationMs, labels)
}

/** Whole seconds: `0s`, `12s`, `1m 4s`, `2h 5m`. */
export function secondsText(durationMs: number, labels: NumberLabels): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000))
  if (seconds < 60) return labels.seconds(numberText(seconds, labels))
  if (seconds < 3_600)
    return labels.minutes(numberText(Math.floor(seconds / 60), labels), numberText(seconds % 60, labels))
  const minutes = Math.round(seconds / 60)
  return labels.hours(numberText(Math.floor(minutes / 60), labels), numberText(minutes % 60, labels))
}

/** How long it took, if it has ended and the stream had a clock. */
export function durationOf({ startedAt, endedAt }: Pick<Folded, 'startedAt' | 'endedAt'>): number | undefined {
  return durationBetween(startedAt, endedAt)
}

/** The label of a finished block. Like `blockLabel` of the fold: whole seconds, and never less than one. */
export function finishedLabel({ kind, durationMs }: ProcessingBlock | ThinkingBlock, labels: Labels): string {
  const { processed, processedIn, thought, thoughtFor } = labels
  const { done, timed } = {
    processing: { done: processed, timed: processedIn },
    thinking: { done: thought, timed: thoughtFor },
  }[kind]
  return durationMs === undefined ? done : timed(secondsText(Math.max(1000, durationMs), labels))
}
