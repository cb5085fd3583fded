import type { Mark } from '../spans/span.ts'

/** What lies behind a moment of a run. */
export interface Horizon {
  readonly entries: number
  readonly failures: number
  readonly approvals: number
}

export function horizonOf(marks: readonly Mark[], length: number, seq: number): Horizon {
  const ahead = marks.filter((mark) => mark.seq > seq)
  const count = (kind: Mark['kind']) => ahead.filter((mark) => mark.kind === kind).length
  return { entries: Math.max(0, length - seq), failures: count('failure'), approvals: count('approval') }
}

/** The next mark, or the one before, from an entry. */
export function markBeside(marks: readonly Mark[], seq: number, step: 1 | -1): Mark | undefined {
  return step === 1 ? marks.find((mark) => mark.seq > seq) : marks.findLast((mark) => mark.seq < seq)
}
