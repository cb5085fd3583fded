import type { Entry } from '@millrace/core/entry'
import type { Log, RunInfo } from '../../log/log.ts'
import { type Placed, readChunks } from '../chunks.ts'
import type { Cursor } from '../cursor.ts'

export const CHAT_WIRE = 'ai-sdk'

/** A response that has finished though its run has not: an approval is waited for. */
export const isPause = ({ chunk, entry }: Placed): boolean => chunk.type === 'finish' && entry.event.type !== 'run-end'

/** Where a run has waited, and for what. */
export interface Pauses {
  /** The last entry that was there. */
  readonly seq: number
  /** The pause that the run is in now. */
  readonly current?: Cursor
  /** The pause behind the request of any of these approvals, the last one. */
  after(approvalIds: ReadonlySet<string>): Cursor | undefined
}

export async function pausesOf(log: Log, { id: runId, threadId }: RunInfo): Promise<Pauses> {
  const asked = new Map<string, number>()
  const unanswered = new Set<string>()
  const pauses: Cursor[] = []
  let seq = 0

  function note({ seq: number, event }: Entry): void {
    seq = number
    if (event.type !== 'approval') return
    if (event.state === 'requested') {
      asked.set(event.approvalId, number)
      unanswered.add(event.approvalId)
    } else unanswered.delete(event.approvalId)
  }

  for await (const placed of readChunks({ log, runId, threadId, wire: CHAT_WIRE, live: false })) {
    for (const each of placed) {
      note(each.entry)
      if (isPause(each)) pauses.push({ seq: each.entry.seq, index: each.index })
    }
  }
  const last = pauses.at(-1)
  return {
    seq,
    ...(unanswered.size > 0 && last !== undefined && { current: last }),
    after(approvalIds) {
      const request = Math.max(...[...approvalIds].map((id) => asked.get(id) ?? 0))
      return request === 0 ? undefined : pauses.find((pause) => pause.seq >= request)
    },
  }
}
