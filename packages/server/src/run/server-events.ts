import { AgentFailure } from '@millrace/core/agent'
import type { EventOf, RunError, StreamEvent } from '@millrace/core/events'
import type { ApprovalAnswer } from './agent.ts'
import type { RunPosition } from './run-position.ts'

/** The events that the server itself adds to a run. */

export function stopEvent(by: string | undefined): StreamEvent {
  return { type: 'control', action: 'stop', ...(by !== undefined && { by }) }
}

/** A message to the agent is pending; `isDropped`: it is no longer, and nobody has taken it. */
export function steerEvent(messageId: string, by: string | undefined, isDropped = false): StreamEvent {
  const maker = by === undefined ? {} : { by }
  return { type: 'control', action: 'steer', messageId, ...maker, ...(isDropped && { dropped: true }) }
}

export function endEvent(outcome: 'cancelled' | 'interrupted'): EventOf<'run-end'> {
  return { type: 'run-end', outcome }
}

/** Returns undefined if no approval with the id is open. */
export function answerEvent(
  position: RunPosition,
  approvalId: string,
  answer: ApprovalAnswer,
): StreamEvent | undefined {
  const open = position.openApproval(approvalId)
  if (open === undefined) return undefined
  return { type: 'approval', approvalId, ...(open.callId !== undefined && { callId: open.callId }), ...answer }
}

/** One event per open approval: it expires. */
export function expiryEvents(position: RunPosition): readonly StreamEvent[] {
  return position.openApprovals().flatMap((id) => answerEvent(position, id, { state: 'expired' }) ?? [])
}

export function failureEvent(error: unknown): EventOf<'run-end'> {
  if (error instanceof AgentFailure) return failureWith({ message: error.message, code: error.code })
  const isError = error instanceof Error
  const name = isError && error.name !== 'Error' ? { name: error.name } : {}
  const message = isError ? error.message : String(error)
  return failureWith({ message, ...name })
}

const failureWith = (error: RunError): EventOf<'run-end'> => ({ type: 'run-end', outcome: 'error', error })
