import type { Entry } from '@millrace/core/entry'
import type { Log, RunInfo } from '../log/log.ts'
import { type ChunkOf, readChunks } from './chunks.ts'
import type { Cursor } from './cursor.ts'

/** How a wire says that a run waits: a response has finished though its run has not. */
export interface Pausing {
  readonly wire: string
  readonly isPause: (chunk: ChunkOf) => boolean
}

/** Where a run has waited, and for what. */
export interface Pauses {
  /** The last entry that was there. */
  readonly seq: number
  /** The pause that the run is in now. */
  readonly current?: Cursor
  /** The pause behind the request of any of these approvals, the last one. */
  after(approvalIds: ReadonlySet<string>): Cursor | undefined
}

export async function pausesOf(log: Log, run: RunInfo, { wire, isPause }: Pausing): Promise<Pauses> {
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

  for await (const chunk of readChunks(log, run, wire)) {
    note(chunk.entry)
    if (isPause(chunk)) pauses.push({ seq: chunk.entry.seq, index: chunk.index })
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
