import type { Entry } from '@millrace/core/events'
import { getWire } from '@millrace/core/wire'
import { readChunks } from '../deliver/chunks.ts'
import type { Cursor } from '../deliver/cursor.ts'
import type { Log, StoredRun } from '../log/log.ts'

/** A wire, in one of its profiles. */
export interface WireChoice {
  readonly wire: string
  readonly profile?: string
}

/** A run as a client's message: its own message, or one that an earlier run began. */
export interface MessageRun {
  readonly run: StoredRun
  readonly messageId?: string
}

/** Where the responses of a run paused for an answer. */
export interface Pauses {
  /** The run's last entry at the time of reading. */
  readonly seq: number
  /** The pause that the run is in. Undefined if the run has ended, even if questions are left open. */
  readonly current?: Cursor
  /**
   * Where the response to answers begins: behind the last question that the client has read, which may be more than it
   * answers. Undefined if no such approval was asked, or the run ended without an answer.
   */
  resumptionOf(approvalIds: ReadonlySet<string>, shown?: readonly string[]): Resumption | undefined
}

/** Which part of a run answers a request that answers its questions. */
export interface Resumption {
  /** The pause behind the question. */
  readonly after: Cursor
  /**
   * The answer's entry, or the next entry if there is no answer yet. The response may end only at a pause from here on: a
   * client that is sent an earlier pause would answer again and again. An ended run is read to its end.
   */
  readonly first: number
  /** The approvals that were answered by this request: the response does not end before their answers. */
  readonly awaits?: ReadonlySet<string>
}

export async function pausesOf(log: Log, messageRun: MessageRun, choice: WireChoice): Promise<Pauses> {
  const { isPause } = getWire(choice.wire)
  const askedAt = new Map<string, number>()
  const answeredAt = new Map<string, number>()
  const pauses: Cursor[] = []
  const isEnded = messageRun.run.state === 'ended'
  let lastCursor: Cursor = { seq: 0 }
  let seq = 0

  function note({ seq: number, event }: Entry): void {
    seq = number
    if (event.type !== 'approval') return
    const isRequest = event.state === 'requested'
    const seqById = isRequest ? askedAt : answeredAt
    seqById.set(event.approvalId, number)
    // A framework may ask again under the same id.
    if (isRequest) answeredAt.delete(event.approvalId)
  }

  for await (const { chunk, entry, index } of readChunks(log, messageRun, choice, note)) {
    lastCursor = { seq: entry.seq, index }
    if (isPause?.(chunk, entry)) pauses.push(lastCursor)
  }
  const last = pauses.at(-1)
  const isAsking = [...askedAt.keys()].some((id) => !answeredAt.has(id))
  return {
    seq,
    ...(isAsking && !isEnded && last !== undefined && { current: last }),
    resumptionOf(approvalIds, shown = []) {
      const asked = [...approvalIds].flatMap((id) => askedAt.get(id) ?? [])
      if (asked.length === 0) return undefined
      const requests = [...asked, ...shown.flatMap((id) => askedAt.get(id) ?? [])]
      const after = pauses.find((pause) => pause.seq >= Math.max(...requests))
      const answers = [...approvalIds].flatMap((id) => answeredAt.get(id) ?? [])
      const isTooLate = isEnded && answers.length === 0 && after === lastCursor
      return after === undefined || isTooLate
        ? undefined
        : { after, first: answers.length === 0 || isEnded ? seq + 1 : Math.max(...answers) }
    },
  }
}
