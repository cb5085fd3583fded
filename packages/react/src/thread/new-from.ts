import type { ChatEvent } from '@millrace/core/fold'
import { createContext } from 'react'

/** The last entry that a reader has seen of a thread. */
export interface SeenUpTo {
  readonly runId: string
  readonly seq: number
}

/** The first entry that is new to the reader. The piece that holds it is marked. */
export const NewFrom = createContext<SeenUpTo | undefined>(undefined)

/** Where the first segment begins that came after the last seen entry: of the same run, or of a later one. */
export function firstNew(events: readonly ChatEvent[], seen: SeenUpTo | undefined): SeenUpTo | undefined {
  if (seen === undefined || !events.some(({ runId }) => runId === seen.runId)) return undefined
  const last = events.findLastIndex(({ runId }) => runId === seen.runId)
  for (const [index, { runId, role, seqs, segments }] of events.entries()) {
    const isLater = index > last
    if (!isLater && runId !== seen.runId) continue
    const after = isLater ? 0 : seen.seq
    // A message of the user is one piece, which its own entries name.
    if (role === 'user' && seqs[0] > after) return { runId, seq: seqs[0] }
    const segment = role === 'user' ? undefined : segments.find((each) => each.seqs[0] > after)
    if (segment !== undefined) return { runId, seq: segment.seqs[0] }
  }
  return undefined
}
