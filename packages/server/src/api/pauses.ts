import type { Entry } from '@millrace/core/entry'
import { type ChunkOf, readChunks } from '../deliver/chunks.ts'
import type { Cursor } from '../deliver/cursor.ts'
import type { Log, StoredRun } from '../log/log.ts'

/** How a wire says that a run waits: a response has finished though its run has not. */
export interface Pausing {
  readonly wire: string
  readonly profile?: string
  readonly isPause: (chunk: ChunkOf) => boolean
}

/** Where a run has waited, and for what. */
export interface Pauses {
  /** The last entry that was there. */
  readonly seq: number
  /** The pause that the run is in now. A run that has ended waits no more, whatever it has left open. */
  readonly current?: Cursor
  /** Where the response to these approvals begins and may end; nothing where none of them was asked, or it is too late. */
  behind(approvalIds: ReadonlySet<string>): Resumption | undefined
}

/** What follows a question. */
export interface Resumption {
  /** The pause behind the question. */
  readonly after: Cursor
  /** The answer's entry, or the next one: a pause before it is over, and who is sent no further would answer for ever. */
  readonly first: number
}

/** A run as a response says it: as a message of its own, or as one that an earlier run has begun. */
export interface Spoken {
  readonly run: StoredRun
  readonly messageId?: string
}

export async function pausesOf(log: Log, spoken: Spoken, { isPause, ...dialect }: Pausing): Promise<Pauses> {
  const asked = new Map<string, number>()
  const answered = new Map<string, number>()
  const pauses: Cursor[] = []
  const isEnded = spoken.run.state === 'ended'
  let said: Cursor = { seq: 0 }
  let seq = 0

  function note({ seq: number, event }: Entry): void {
    seq = number
    if (event.type !== 'approval') return
    const known = event.state === 'requested' ? asked : answered
    known.set(event.approvalId, number)
  }

  for await (const chunk of readChunks(log, spoken, dialect, note)) {
    said = { seq: chunk.entry.seq, index: chunk.index }
    if (isPause(chunk)) pauses.push(said)
  }
  const last = pauses.at(-1)
  const isAsking = [...asked.keys()].some((id) => !answered.has(id))
  return {
    seq,
    ...(isAsking && !isEnded && last !== undefined && { current: last }),
    behind(approvalIds) {
      const requests = [...approvalIds].flatMap((id) => asked.get(id) ?? [])
      if (requests.length === 0) return undefined
      const after = pauses.find((pause) => pause.seq >= Math.max(...requests))
      const answers = [...approvalIds].flatMap((id) => answered.get(id) ?? [])
      const isTooLate = isEnded && answers.length === 0 && after === said
      return after === undefined || isTooLate
        ? undefined
        : { after, first: answers.length === 0 ? seq + 1 : Math.max(...answers) }
    },
  }
}
