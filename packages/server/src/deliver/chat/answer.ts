import type { RunInfo } from '../../log/log.ts'
import type { Cursor } from '../cursor.ts'
import { ApiError } from '../errors.ts'
import { type Pausing, pausesOf } from '../pauses.ts'
import type { Services } from '../services.ts'
import type { ApprovalPart } from './chat-request.ts'

/** A run is one message here, whose response finishes where an approval is waited for. */
export const CHAT: Pausing = {
  wire: 'ai-sdk',
  isPause: ({ chunk, entry }) => chunk.type === 'finish' && entry.event.type !== 'run-end',
}

/**
 * Answers the approvals of a run that waits for them, and finds where the response that asked has ended: what follows
 * is the response to the answer. An answer that is sent again changes nothing and is served the same.
 */
export async function answerAndFind(
  services: Services,
  threadId: string,
  messageId: string | undefined,
  approvals: readonly ApprovalPart[],
): Promise<{ readonly run: RunInfo; readonly after: Cursor }> {
  const { log, runs } = services
  const run = await waitingRun(services, threadId, messageId)
  const pauses = await pausesOf(log, run, CHAT)
  const answered = new Set<string>()
  for (const { id, approved, reason } of approvals) {
    const state = approved ? 'approved' : 'denied'
    const answer = reason === undefined ? { state } : ({ state, message: reason } as const)
    if ((await runs.answer(run.id, id, { ...answer, state })) === 'answered') answered.add(id)
  }
  const meant = answered.size > 0 ? answered : new Set(approvals.map(({ id }) => id))
  const after = pauses.after(meant)
  if (after === undefined) throw new ApiError(409, 'not-asked', 'Nobody waits for these answers.')
  return { run, after }
}

/** The message's own run, for a run is one message; else whichever of the chat has not ended. */
async function waitingRun({ log }: Services, threadId: string, messageId: string | undefined): Promise<RunInfo> {
  const runs = await log.runs(threadId)
  const run = runs.find(({ id }) => id === messageId) ?? runs.findLast(({ state }) => state !== 'ended')
  if (run === undefined) throw new ApiError(409, 'not-asked', 'No run of the chat waits for an answer.')
  return run
}
