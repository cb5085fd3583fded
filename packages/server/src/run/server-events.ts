import type { EventOf, StreamEvent } from '@millrace/core/events'
import type { ApprovalAnswer } from './agent.ts'
import type { RunPosition } from './run-position.ts'

/** What the server itself says in a run. */

export function stopEvent(by: string | undefined): StreamEvent {
  return { type: 'control', action: 'stop', ...(by !== undefined && { by }) }
}

export function endEvent(outcome: 'cancelled' | 'interrupted'): EventOf<'run-end'> {
  return { type: 'run-end', outcome }
}

/** The answer to an open approval; nothing where none is open under the id. */
export function answerEvent(
  position: RunPosition,
  approvalId: string,
  answer: ApprovalAnswer,
): StreamEvent | undefined {
  const open = position.openApproval(approvalId)
  if (open === undefined) return undefined
  return { type: 'approval', approvalId, ...(open.callId !== undefined && { callId: open.callId }), ...answer }
}

/** Every open question, taken back. */
export function expiryEvents(position: RunPosition): readonly StreamEvent[] {
  return position.openApprovals().flatMap((id) => answerEvent(position, id, { state: 'expired' }) ?? [])
}

export function failureEvent(error: unknown): EventOf<'run-end'> {
  const isError = error instanceof Error
  const name = isError && error.name !== 'Error' ? { name: error.name } : {}
  const message = isError ? error.message : String(error)
  return { type: 'run-end', outcome: 'error', error: { message, ...name } }
}
