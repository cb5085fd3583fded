import type { EventOf, StreamEvent } from '@millrace/core/events'
import type { ApprovalAnswer } from './agent.ts'
import type { Progress } from './progress.ts'

/** What the server itself says in a run. */

export function stopWord(by: string | undefined): StreamEvent {
  return { type: 'control', action: 'stop', ...(by !== undefined && { by }) }
}

export function endWord(outcome: 'cancelled' | 'interrupted'): EventOf<'run-end'> {
  return { type: 'run-end', outcome }
}

/** The answer to an open approval; nothing where none is open under the id. */
export function answerWord(progress: Progress, approvalId: string, answer: ApprovalAnswer): StreamEvent | undefined {
  const open = progress.openApproval(approvalId)
  if (open === undefined) return undefined
  return { type: 'approval', approvalId, ...(open.callId !== undefined && { callId: open.callId }), ...answer }
}

/** Every open question, taken back. */
export function expiryWords(progress: Progress): readonly StreamEvent[] {
  return progress.openApprovals().flatMap((id) => answerWord(progress, id, { state: 'expired' }) ?? [])
}

export function failureWord(error: unknown): EventOf<'run-end'> {
  const isError = error instanceof Error
  const name = isError && error.name !== 'Error' ? { name: error.name } : {}
  const message = isError ? error.message : String(error)
  return { type: 'run-end', outcome: 'error', error: { message, ...name } }
}
