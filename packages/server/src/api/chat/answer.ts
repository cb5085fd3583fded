import { ApiError } from '@millrace/core/api/api-error'
import { type Pausing, pausesOf, type Resumption, type Spoken } from '../pauses.ts'
import type { Services } from '../services.ts'
import type { ApprovalPart } from './chat-request.ts'
import { messageIdOf, runsOfMessage } from './message-runs.ts'

/** A run is one message here, whose response finishes where an approval is waited for. */
export function chatIn(profile: string | undefined): Pausing {
  return {
    wire: 'ai-sdk',
    ...(profile !== undefined && { profile }),
    isPause: ({ chunk, entry }) => chunk.type === 'finish' && entry.event.type !== 'run-end',
  }
}

export interface Answers {
  readonly threadId: string
  readonly messageId: string | undefined
  readonly approvals: readonly ApprovalPart[]
}

/**
 * Answers the approvals of a run that waits for them, and finds where the response that asked has ended: what follows
 * is the response to the answer. An answer that is sent again changes nothing and is served the same.
 */
export async function answerAndFind(
  services: Services,
  pausing: Pausing,
  { threadId, messageId, approvals }: Answers,
): Promise<{ readonly spoken: Spoken; readonly resumption: Resumption }> {
  const { log, runs } = services
  const spoken = await waitingRun(services, threadId, messageId)
  const pauses = await pausesOf(log, spoken, pausing)
  const answered = new Set<string>()
  for (const { id, approved, reason } of approvals) {
    const state = approved ? 'approved' : 'denied'
    const answer = reason === undefined ? { state } : ({ state, message: reason } as const)
    if ((await runs.answer(spoken.run.id, id, { ...answer, state })) === 'answered') answered.add(id)
  }
  const meant = answered.size > 0 ? answered : new Set(approvals.map(({ id }) => id))
  const resumption = pauses.behind(meant)
  if (resumption === undefined) throw new ApiError(409, 'not-asked', 'Nobody waits for these answers.')
  return { spoken, resumption }
}

/** The message's last run; else whichever of the chat has not ended. */
async function waitingRun({ log }: Services, threadId: string, messageId: string | undefined): Promise<Spoken> {
  const named = (await runsOfMessage(log, threadId, messageId ?? '')).at(-1)
  if (named !== undefined) return named
  const run = (await log.runs(threadId)).findLast(({ state }) => state !== 'ended')
  if (run === undefined) throw new ApiError(409, 'not-asked', 'No run of the chat waits for an answer.')
  const told = await messageIdOf(log, run)
  return told === run.id ? { run } : { run, messageId: told }
}
