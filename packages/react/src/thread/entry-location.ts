import type { ChatEvent } from '@millrace/core/fold'

/** Where an entry is shown: the index of its chat event, and the entries of the segment that holds it, if any. */
export interface EntryLocation {
  readonly event: number
  readonly seqs: readonly [first: number, last: number] | undefined
}

/** An entry of a thread. */
export interface EntryAddress {
  /** Default: the run of the last chat event. */
  readonly runId?: string | undefined
  readonly seq: number
}

/**
 * The location of an entry. Entries that draw nothing belong to what was drawn before them. Undefined until the log has
 * reached the entry.
 */
export function locateEntry(chatEvents: readonly ChatEvent[], { runId, seq }: EntryAddress): EntryLocation | undefined {
  const wantedRun = runId ?? chatEvents.at(-1)?.runId
  const eventsOfRun = chatEvents.filter((chatEvent) => chatEvent.runId === wantedRun)
  const reached = Math.max(0, ...eventsOfRun.map(({ seqs }) => seqs[1]))
  const isWhole = eventsOfRun.every(({ state }) => state !== 'live')
  if (eventsOfRun.length === 0 || (reached < seq && !isWhole)) return undefined
  const found = eventsOfRun.findLast(({ seqs }) => seqs[0] <= seq) ?? eventsOfRun[0]
  const segment = found?.segments.findLast(({ seqs }) => seqs[0] <= seq)
  return found === undefined ? undefined : { event: chatEvents.indexOf(found), seqs: segment?.seqs }
}
