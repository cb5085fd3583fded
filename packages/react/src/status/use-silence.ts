import { useRef } from 'react'

/** Shorter pauses are those between two entries of one answer. */
const COUNTED_MS = 1_000

/** How many silences decide what is usual. */
const MOST = 9

interface Heard {
  readonly seq: number | undefined
  readonly at: number
  /** The silences that have ended on this page, oldest first. */
  readonly silences: readonly number[]
}

/** How long nothing has come, and how long that mostly was before: the median of what this page has seen. */
export function useSilence(seq: number | undefined, now: number) {
  const heard = useRef<Heard>({ seq, at: now, silences: [] })
  if (heard.current.seq !== seq) {
    const { at, silences, seq: before } = heard.current
    const silence = now - at
    // What was read at once when the page was opened is no answer.
    const isCounted = before !== undefined && silence >= COUNTED_MS
    heard.current = { seq, at: now, silences: isCounted ? [...silences, silence].slice(-MOST) : silences }
  }
  const { at, silences } = heard.current
  return { silentMs: now - at, usualMs: usualOf(silences) }
}

function usualOf(silences: readonly number[]): number | undefined {
  if (silences.length < 2) return undefined
  return silences.toSorted((one, other) => one - other)[silences.length >> 1]
}
