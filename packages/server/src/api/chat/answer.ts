import { ApiError, mainRuns } from '@millrace/core/api'
import { answerApproval } from '../../run/ask.ts'
import { type MessageRun, pausesOf, type Resumption, type WireChoice } from '../pauses.ts'
import type { Services } from '../services.ts'
import type { ApprovalPart } from './chat-request.ts'
import { messageIdOf, runsOfMessage } from './message-runs.ts'

/** The wire of chats: a run is one message, and a response ends where an approval is open. */
export function chatIn(profile: string | undefined): WireChoice {
  return { wire: 'ai-sdk', ...(profile !== undefined && { profile }) }
}

export interface Answers {
  readonly threadId: string
  readonly messageId: string | undefined
  readonly approvals: readonly ApprovalPart[]
  /** The approvals that the client shows, answered or not. */
  readonly shown: readonly string[]
  /** How many texts and calls the client shows. */
  readonly partsRead: number
  /** Whether the client has read the end of a run of the message. */
  readonly hasReadEnd: boolean
}

/**
 * Answers the open approvals of a run, and finds where the response that asked for them ended: what follows is the response
 * to the answers. An answer that is sent again changes nothing and gets the same response.
 */
export async function answerApprovals(
  services: Services,
  choice: WireChoice,
  { threadId, messageId, approvals, shown, partsRead, hasReadEnd }: Answers,
): Promise<{ readonly messageRun: MessageRun; readonly resumption: Resumption }> {
  const { log, runs } = services
  const messageRun = await waitingRun(services, threadId, messageId)
  const pauses = await pausesOf(log, messageRun, choice)
  const answered = new Set<string>()
  for (const { id, approved, reason } of approvals) {
    const state = approved ? 'approved' : 'denied'
    const answer = reason === undefined ? { state } : ({ state, message: reason } as const)
    const result = await answerApproval(runs, messageRun.run.id, id, { ...answer, state })
    if (result !== 'not-asked') answered.add(id)
  }
  // A client would send answers that nobody takes again and again, because no output follows them.
  const isOver =
    hasReadEnd ||
    pauses.isLeftOpen(
      approvals.map(({ id }) => id),
      partsRead,
    )
  if (answered.size === 0 && isOver && messageRun.run.state === 'ended') throw notAsked()
  const relevantIds = answered.size > 0 ? answered : new Set(approvals.map(({ id }) => id))
  const resumption = pauses.resumptionOf(relevantIds, { shown })
  if (resumption === undefined) throw notAsked()
  return { messageRun, resumption: { ...resumption, awaits: answered } }
}

const notAsked = () => new ApiError(409, 'not-asked', 'No approval is open that these answers belong to.')

/** The message's last run; without such a message, the chat's last run that has not ended. */
async function waitingRun({ log }: Services, threadId: string, messageId: string | undefined): Promise<MessageRun> {
  const named = (await runsOfMessage(log, threadId, messageId ?? '')).at(-1)
  if (named !== undefined) return named
  const run = mainRuns(await log.runs(threadId)).findLast(({ state }) => state !== 'ended')
  if (run === undefined) throw new ApiError(409, 'not-asked', 'No run of the chat waits for an answer.')
  const ownId = await messageIdOf(log, run)
  return ownId === run.id ? { run } : { run, messageId: ownId }
}
