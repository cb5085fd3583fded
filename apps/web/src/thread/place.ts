import type { ChatEvent } from '@millrace/core/fold/shapes'

/** Where an entry is shown: its chat event, and the segment that holds it where there is one. */
export interface Place {
  readonly event: number
  readonly seqs: readonly [first: number, last: number] | undefined
}

interface Wanted {
  /** Default: the run of the last chat event. */
  readonly runId?: string | undefined
  readonly seq: number
}

/**
 * The place of an entry. Entries that draw nothing belong to what was drawn before them. Nothing while the log has not
 * come that far.
 */
export function placeOf(chatEvents: readonly ChatEvent[], { runId, seq }: Wanted): Place | undefined {
  const wantedRun = runId ?? chatEvents.at(-1)?.runId
  const own = chatEvents.filter((chatEvent) => chatEvent.runId === wantedRun)
  const reached = Math.max(0, ...own.map(({ seqs }) => seqs[1]))
  const isWhole = own.every(({ state }) => state !== 'live')
  if (own.length === 0 || (reached < seq && !isWhole)) return undefined
  const found = own.findLast(({ seqs }) => seqs[0] <= seq) ?? own[0]
  const segment = found?.segments.findLast(({ seqs }) => seqs[0] <= seq)
  return found === undefined ? undefined : { event: chatEvents.indexOf(found), seqs: segment?.seqs }
}
