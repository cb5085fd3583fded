import { ApiError, type ClientOutput, lineageOf, mainRuns } from '@millrace/core/api'
import type { ResponsePart, ResponseParts } from '../../deliver/follow-parts.ts'
import type { StoredRun } from '../../log/log.ts'
import { runBeforeNext } from '../branch.ts'
import { continueWithOutputs, openOutputs } from '../client-tools.ts'
import { liveIn } from '../history.ts'
import { storedFiles } from '../message-files.ts'
import { replayPart, resumedPart, wholePart } from '../responses.ts'
import { agentNamed } from '../routes/runs.ts'
import type { Services } from '../services.ts'
import { answerApprovals, chatIn } from './answer.ts'
import {
  answeredIn,
  type ChatRequest,
  clientIn,
  hasReadEnd,
  idempotencyKeyOf,
  outputsIn,
  partsIn,
  shownIn,
  userInputIn,
} from './chat-request.ts'
import { messageIdOf, runsOfMessage } from './message-runs.ts'
import { sentMessages } from './sent-messages.ts'

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
  const client = clientIn(request)
  const returned = { threadId: request.id, outputs, runs, agent: request.agent, messageId, ...(client && { client }) }
  return [await replayPart(log, { run: await continueWithOutputs(services, returned), messageId }, choice)]
}

/** The live message of a chat, from its first chunk, which may be an earlier run's. Undefined if no run is live. */
export async function liveResponse(
  services: Services,
  chatId: string,
  profile?: string,
): Promise<ResponseParts | undefined> {
  const live = liveIn(await services.log.runs(chatId))
  return live === undefined ? undefined : messageResponse(services, live, profile)
}

/** The same for the last message if no run is live: a client that was cut off holds only a part of it. */
export async function lastResponse(
  services: Services,
  chatId: string,
  profile?: string,
): Promise<ResponseParts | undefined> {
  const runs = await services.log.runs(chatId)
  const last = liveIn(runs) ?? lineageOf(runs).at(-1)
  return last === undefined ? undefined : messageResponse(services, last, profile)
}

/** A message from its first chunk up to the end of its last run. */
async function messageResponse({ log }: Services, last: StoredRun, profile?: string): Promise<ResponseParts> {
  const choice = chatIn(profile)
  const messageId = await messageIdOf(log, last)
  const messageRuns = await runsOfMessage(log, last.threadId, messageId)
  const before = messageRuns.filter(({ run }) => run.id !== last.id).map((each) => wholePart(each, choice))
  const [first, ...rest] = before
  const end = await replayPart(log, last.id === messageId ? { run: last } : { run: last, messageId }, choice)
  return first === undefined ? [end] : [first, ...rest, end]
}

/** The last run of a chat, although it has ended. */
export async function lastRunPart(
  { log }: Services,
  chatId: string,
  profile?: string,
): Promise<ResponsePart | undefined> {
  const run = mainRuns(await log.runs(chatId)).at(-1)
  if (run === undefined) return undefined
  const messageId = await messageIdOf(log, run)
  return wholePart(messageId === run.id ? { run } : { run, messageId }, chatIn(profile))
}

/** Starts the run that answers the message. */
async function startRun(services: Services, request: ChatRequest, message: Message): Promise<StoredRun> {
  const { log, runs } = services
  const { text, files } = userInputIn(message)
  const client = clientIn(request)
  const key = idempotencyKeyOf(request, message)
  const agent = agentNamed(runs, request.agent).name
  const afterRunId = await runBefore(services, request)
  const toolOutputs = afterRunId === undefined ? [] : await openOutputs(log, afterRunId, outputsBefore(request))
  const isFirst =
    afterRunId === undefined && key === undefined && !request.messages.some(({ role }) => role === 'assistant')
  const run = await runs.start({
    threadId: request.id,
    agent,
    input: {
      text,
      files: await storedFiles(services.files, files),
      ...(toolOutputs.length > 0 && { toolOutputs }),
      ...(client && { client }),
      ...clientIdIn(message),
    },
    ...(afterRunId !== undefined && { afterRunId }),
    ...(isFirst && { isFirst }),
    ...(key !== undefined && { idempotencyKey: key }),
  })
  return (await log.run(run.id)) ?? run
}

const clientIdIn = ({ id }: Message) => (id === undefined || id === '' ? {} : { clientId: id })

/** The last run of the conversation as the client shows it now. A message may go on over several runs. */
async function runBefore(services: Services, { id, messages }: ChatRequest): Promise<string | undefined> {
  const runId = await runBeforeNext(services, id, sentMessages(services.files, messages.slice(0, -1)))
  return runId === undefined ? undefined : ((await runsOfMessage(services.log, id, runId)).at(-1)?.run.id ?? runId)
}

/** The outputs of a client that has not sent them before it asks again. */
function outputsBefore({ messages }: ChatRequest): readonly ClientOutput[] {
  const before = messages.at(-2)
  return before?.role === 'assistant' ? outputsIn(before) : []
}
