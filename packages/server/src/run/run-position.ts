import { randomUUID } from 'node:crypto'
import type { StreamEvent } from '@millrace/core/events'
import { createMessageRow } from '@millrace/core/fold/message-row'
import type { JsonObject } from '@millrace/core/json'
import type { Reader } from '@millrace/core/read'
import type { MessageRow } from '../log/log.ts'

/** How far a run has come: all that its owner has to know to go on with it. */
export interface RunPosition {
  readonly reader: Reader
  /** Takes an event of the run into account, in order. */
  note(event: StreamEvent): void
  /** How many events were noted. */
  seq(): number
  isAwaiting(): boolean
  /** The call of an approval that was requested and has no answer. */
  openApproval(approvalId: string): { readonly callId: string | undefined } | undefined
  openApprovals(): readonly string[]
  /** Minted from position: the run's next approval. */
  nextApprovalId(): string
  /** The run's answer as one stored message of the thread. */
  message(threadId: string): MessageRow
}

/** How many characters of a run its stored message holds: it is kept in memory until the run ends. */
const MAX_ROW = 8 * 1024 * 1024

export function createRunPosition(reader: Reader): RunPosition {
  const row = createMessageRow({ maxCharacters: MAX_ROW })
  const requested = new Set<string>()
  const openApprovals = new Map<string, { readonly callId: string | undefined }>()
  let seq = 0

  function noteApproval(event: StreamEvent): void {
    if (event.type !== 'approval') return
    requested.add(event.approvalId)
    if (event.state === 'requested') openApprovals.set(event.approvalId, { callId: event.callId })
    else openApprovals.delete(event.approvalId)
  }

  return {
    reader,
    note(event) {
      seq++
      noteApproval(event)
      // The log has not stamped it yet, and a row tells neither times nor records.
      row.push({ seq, at: 0, event, rawThrough: 0 })
    },
    seq: () => seq,
    isAwaiting: () => openApprovals.size > 0,
    openApproval: (approvalId) => openApprovals.get(approvalId),
    openApprovals: () => [...openApprovals.keys()],
    nextApprovalId() {
      let number = requested.size + 1
      while (requested.has(`approval-${number}`)) number++
      return `approval-${number}`
    },
    message(threadId) {
      const { content, metadata } = row.row()
      return { id: randomUUID(), chatId: threadId, role: 'assistant', content, metadata: metadata as JsonObject }
    },
  }
}
