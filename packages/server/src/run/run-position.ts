import { randomUUID } from 'node:crypto'
import type { EventOf, StreamEvent } from '@millrace/core/events'
import { createMessageRow } from '@millrace/core/fold'
import type { JsonObject } from '@millrace/core/json'
import type { MessageRow } from '../log/log.ts'
import type { RunReader } from './run-reader.ts'

/** How far a run is: all that its owner needs to continue it. */
export interface RunPosition {
  readonly reader: RunReader
  /** Takes each event of the run, in order. */
  note(event: StreamEvent): void
  /** The number of events so far. */
  seq(): number
  isAwaiting(): boolean
  /** The call of an open approval; undefined if the approval is not open. */
  openApproval(approvalId: string): { readonly callId: string | undefined } | undefined
  openApprovals(): readonly string[]
  /** The ids of the run's next approvals, derived from the number of approvals so far. */
  nextApprovalIds(count: number): readonly string[]
  /** The messages to the agent that it has not taken, oldest first. */
  pendingMessages(): readonly string[]
  /** Whether a call with this id waits for an output. */
  isCallOpen(callId: string): boolean
  /** The run's output as one stored message of the thread. */
  message(threadId: string): MessageRow
}

/** How many characters a run's stored message holds: it is kept in memory until the run ends. */
export const MAX_ROW = 8 * 1024 * 1024

export function createRunPosition(reader: RunReader): RunPosition {
  const row = createMessageRow({ maxCharacters: MAX_ROW })
  const requested = new Set<string>()
  const openApprovals = new Map<string, { readonly callId: string | undefined }>()
  const openCalls = new Set<string>()
  const pendingMessages = new Set<string>()
  let seq = 0

  const rows: { readonly [type: string]: ((event: never) => void) | undefined } = {
    approval: noteApproval,
    control({ action, messageId, dropped }: EventOf<'control'>) {
      if (action !== 'steer' || messageId === undefined) return
      if (dropped === true) pendingMessages.delete(messageId)
      else pendingMessages.add(messageId)
    },
    'message-start'({ role, messageId }: EventOf<'message-start'>) {
      if (role === 'user') pendingMessages.delete(messageId)
    },
    'tool-start': ({ callId }: EventOf<'tool-start'>) => openCalls.add(callId),
    'tool-output': ({ callId }: EventOf<'tool-output'>) => openCalls.delete(callId),
  }

  function noteApproval(event: EventOf<'approval'>): void {
    requested.add(event.approvalId)
    if (event.state === 'requested') openApprovals.set(event.approvalId, { callId: event.callId })
    else openApprovals.delete(event.approvalId)
  }

  return {
    reader,
    note(event) {
      seq++
      rows[event.type]?.(event as never)
      // The log has not stamped the event yet; a row contains neither times nor record numbers.
      row.push({ seq, at: 0, event, rawThrough: 0 })
    },
    seq: () => seq,
    isAwaiting: () => openApprovals.size > 0,
    openApproval: (approvalId) => openApprovals.get(approvalId),
    openApprovals: () => [...openApprovals.keys()],
    pendingMessages: () => [...pendingMessages],
    isCallOpen: (callId) => openCalls.has(callId),
    nextApprovalIds(count) {
      const ids: string[] = []
      for (let number = requested.size + 1; ids.length < count; number++) {
        if (!requested.has(`approval-${number}`)) ids.push(`approval-${number}`)
      }
      return ids
    },
    message(threadId) {
      const { content, metadata } = row.row()
      return { id: randomUUID(), chatId: threadId, role: 'assistant', content, metadata: metadata as JsonObject }
    },
  }
}
