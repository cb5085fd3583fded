import type { ChatEvent, Folded, Segment } from '@millrace/core/fold/shapes'

/** The current time of the gallery: counters of live segments count up to it. */
export const NOW = Date.UTC(2026, 10, 15, 14, 2, 41)

let nextSeq = 1

/** The times and entries of a segment that began `agoMs` ago and, if it has ended, took `tookMs`. */
export function timed(agoMs: number, tookMs?: number): Folded {
  const startedAt = NOW - agoMs
  const seq = nextSeq++
  return { startedAt, seqs: [seq, seq], ...(tookMs !== undefined && { endedAt: startedAt + tookMs }) }
}

export function message(id: string, segments: readonly Segment[], fields: Partial<ChatEvent> = {}): ChatEvent {
  const [first = 1] = segments[0]?.seqs ?? []
  const last = segments.at(-1)?.seqs[1] ?? first
  const startedAt = segments[0]?.startedAt ?? NOW
  return {
    id,
    runId: 'run',
    role: 'assistant',
    state: 'done',
    segments,
    startedAt,
    endedAt: NOW,
    seqs: [first, last],
    ...fields,
  }
}
