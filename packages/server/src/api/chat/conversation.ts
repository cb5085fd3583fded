import { ApiError } from '@millrace/core/api'
import type { ResponseParts } from '../../deliver/follow-parts.ts'
import type { StoredRun } from '../../log/log.ts'
import { continueWithOutputs } from '../client-tools.ts'
import { storedFiles } from '../message-files.ts'
import { replayPart, resumedPart, wholePart } from '../responses.ts'
import { agentNamed } from '../routes/runs.ts'
import type { Services } from '../services.ts'
import { answerApprovals, chatIn } from './answer.ts'
import {
  answeredIn,
  type ChatRequest,
  hasReadEnd,
  idempotencyKeyOf,
  outputsIn,
  partsIn,
  shownIn,
  userInputIn,
} from './chat-request.ts'
import { messageIdOf, runsOfMessage } from './message-runs.ts'

type Message = ChatRequest['messages'][number]

/**
 * The response to a request. A new question starts a run; answered approvals resume one; outputs of tools that the client
 * has run start the run that takes them.
 */
export async function responseTo(services: Services, request: ChatRequest, profile?: string): Promise<ResponseParts> {
  const { log } = services
  const choice = chatIn(profile)
  const last = request.messages.at(-1)
  if (last?.role === 'user') return [await replayPart(log, { run: await startRun(services, request, last) }, choice)]
  const approvals = last === undefined ? [] : answeredIn(last)
  if (last !== undefined && approvals.length > 0) {
    const { messageRun, resumption } = await answerApprovals(services, choice, {
      threadId: request.id,
      messageId: last.id,
      approvals,
      shown: shownIn(last),
      partsRead: partsIn(last),
      hasReadEnd: hasReadEnd(last),
    })
    return [resumedPart(messageRun, choice, resumption)]
  }
  const outputs = last === undefined ? [] : outputsIn(last)
  if (last?.id === undefined || outputs.length === 0) {
    throw new ApiError(400, 'nothing-new', 'The last message contains no question, answer or output.')
  }
  const messageId = last.id
  const runs = (await runsOfMessage(log, request.id, messageId)).map(({ run }) => run)
  const returned = { threadId: request.id, outputs, runs, agent: request.agent, messageId }
  return [await replayPart(log, { run: await continueWithOutputs(services, returned), messageId }, choice)]
}

/** The live message of a chat, from its first chunk, which may be an earlier run's. Undefined if no run is live. */
export async function liveResponse(
  { log }: Services,
  chatId: string,
  profile?: string,
): Promise<ResponseParts | undefined> {
  const choice = chatIn(profile)
  const live = liveIn(await log.runs(chatId))
  if (live === undefined) return undefined
  const messageId = await messageIdOf(log, live)
  const messageRuns = await runsOfMessage(log, chatId, messageId)
  const before = messageRuns.filter(({ run }) => run.id !== live.id).map((each) => wholePart(each, choice))
  const [first, ...rest] = before
  const last = await replayPart(log, live.id === messageId ? { run: live } : { run: live, messageId }, choice)
  return first === undefined ? [last] : [first, ...rest, last]
}

/** The live run of the current branch. A run of an abandoned branch may wait for ever, but is not part of the chat any more. */
function liveIn(runs: readonly StoredRun[]): StoredRun | undefined {
  const left = new Map(runs.map((run) => [run.id, run]))
  for (let run = runs.at(-1); run !== undefined; run = left.get(run.afterRunId ?? '')) {
    if (run.state !== 'ended') return run
    left.delete(run.id)
  }
  return undefined
}

/** Starts the run that answers the message. */
async function startRun(services: Services, request: ChatRequest, message: Message): Promise<StoredRun> {
  const { log, runs } = services
  const { text, files } = userInputIn(message)
  const key = idempotencyKeyOf(request, message)
  const afterRunId = await runBefore(services, request)
  const isFirst = key === undefined && !request.messages.some(({ role }) => role === 'assistant')
  const run = await runs.start({
    threadId: request.id,
    agent: agentNamed(runs, request.agent).name,
    input: { text, files: await storedFiles(services.files, files) },
    ...(afterRunId !== undefined && { afterRunId }),
    ...(isFirst && { isFirst }),
    ...(key !== undefined && { idempotencyKey: key }),
  })
  return (await log.run(run.id)) ?? run
}

/** The last run of the conversation as the client shows it now. */
async function runBefore({ log }: Services, { id, messages }: ChatRequest): Promise<string | undefined> {
  const before = messages.findLast(({ role }) => role === 'assistant')
  return (await runsOfMessage(log, id, before?.id ?? '')).at(-1)?.run.id
}
