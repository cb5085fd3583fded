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
  resumptionOf(approvalIds: ReadonlySet<string>, read?: ReadByClient): Resumption | undefined
  /** Whether the run has ended without an answer to one of these approvals, and a client with so many parts has read it. */
  isLeftOpen(approvalIds: readonly string[], partsRead: number): boolean
}

/** What a client has read, as far as its request tells. */
export interface ReadByClient {
  /** The approvals that it shows, answered or not. */
  readonly shown?: readonly string[]
  /** The ids of the messages and calls that it holds. */
  readonly held?: ReadonlySet<unknown>
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

/** The chunks that begin what a client holds under an id. */
const BEGINNINGS: ReadonlySet<unknown> = new Set([
  'TEXT_MESSAGE_START',
  'REASONING_MESSAGE_START',
  'TOOL_CALL_START',
  'TOOL_CALL_RESULT',
])

const PARTS: ReadonlySet<unknown> = new Set(['text-start', 'tool-input-start'])

export async function pausesOf(log: Log, messageRun: MessageRun, choice: WireChoice): Promise<Pauses> {
  const { isPause } = getWire(choice.wire)
  const askedAt = new Map<string, number>()
  const answeredAt = new Map<string, number>()
  const pauses: Cursor[] = []
  /** The ids of what begins between a pause and the one before it. */
  const begun: unknown[][] = []
  let ids: unknown[] = []
  /** How many texts and calls a chat shows at the end. */
  let parts = 0
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
    if (PARTS.has(chunk.type)) parts++
    if (BEGINNINGS.has(chunk.type)) ids.push(chunk.type === 'TOOL_CALL_START' ? chunk.toolCallId : chunk.messageId)
    if (isPause?.(chunk, entry) !== true) continue
    pauses.push(lastCursor)
    begun.push(ids)
    ids = []
  }
  const last = pauses.at(-1)
  const isAsking = [...askedAt.keys()].some((id) => !answeredAt.has(id))
  return {
    seq,
    ...(isAsking && !isEnded && last !== undefined && { current: last }),
    isLeftOpen: (approvalIds, partsRead) =>
      isEnded && partsRead >= parts && approvalIds.some((id) => askedAt.has(id) && !answeredAt.has(id)),
    resumptionOf(approvalIds, { shown = [], held = new Set() } = {}) {
      const asked = [...approvalIds].flatMap((id) => askedAt.get(id) ?? [])
      if (asked.length === 0) return undefined
      const requests = [...asked, ...shown.flatMap((id) => askedAt.get(id) ?? [])]
      const asking = pauses.findIndex((pause) => pause.seq >= Math.max(...requests))
      const isHeld = (pause: number) =>
        begun
          .slice(asking + 1, pause + 1)
          .flat()
          .every((id) => held.has(id))
      // A response may have gone on behind the question while others were answered.
      const last = begun.findLastIndex((begins, pause) => pause > asking && begins.length > 0 && isHeld(pause))
      const after = asking === -1 ? undefined : pauses[Math.max(asking, last)]
      const answers = [...approvalIds].flatMap((id) => answeredAt.get(id) ?? [])
      const isTooLate = isEnded && answers.length === 0 && after === lastCursor
      return after === undefined || isTooLate
        ? undefined
        : { after, first: answers.length === 0 || isEnded ? seq + 1 : Math.max(...answers) }
    },
  }
}
