import { ApiError } from '@millrace/core/api/api-error'
import type { Parts } from '../../deliver/follow-parts.ts'
import type { StoredRun } from '../../log/log.ts'
import { goOnWithOutputs } from '../client-tools.ts'
import { storedFiles } from '../files/stored-files.ts'
import { goneOn, partOf, replayed } from '../responses.ts'
import { agentNamed } from '../routes/runs.ts'
import type { Services } from '../services.ts'
import { answerAndFind, chatIn } from './answer.ts'
import { answeredIn, type ChatRequest, idempotencyKeyOf, outputsIn, writtenIn } from './chat-request.ts'
import { messageIdOf, runsOfMessage } from './message-runs.ts'

type Message = ChatRequest['messages'][number]

/**
 * What a request is answered with. A new question starts a run; answered approvals let one go on; outputs of tools that
 * the client has run start the one that takes them.
 */
export async function reply(services: Services, request: ChatRequest, profile?: string): Promise<Parts> {
  const { log } = services
  const pausing = chatIn(profile)
  const last = request.messages.at(-1)
  if (last?.role === 'user') return [await replayed(log, { run: await ask(services, request, last) }, pausing)]
  const approvals = last === undefined ? [] : answeredIn(last)
  if (last !== undefined && approvals.length > 0) {
    const { spoken, resumption } = await answerAndFind(services, pausing, {
      threadId: request.id,
      messageId: last.id,
      approvals,
    })
    return [goneOn(spoken, pausing, resumption)]
  }
  const outputs = last === undefined ? [] : outputsIn(last)
  if (last?.id === undefined || outputs.length === 0) {
    throw new ApiError(400, 'nothing-new', 'The last message neither asks nor answers anything.')
  }
  const messageId = last.id
  const runs = (await runsOfMessage(log, request.id, messageId)).map(({ run }) => run)
  const brought = { threadId: request.id, outputs, runs, agent: request.agent, messageId }
  return [await replayed(log, { run: await goOnWithOutputs(services, brought), messageId }, pausing)]
}

/** The live message of a chat, from its first chunk, whichever run began it; nothing where there is none. */
export async function replyAgain({ log }: Services, chatId: string, profile?: string): Promise<Parts | undefined> {
  const pausing = chatIn(profile)
  const live = liveIn(await log.runs(chatId))
  if (live === undefined) return undefined
  const messageId = await messageIdOf(log, live)
  const spoken = await runsOfMessage(log, chatId, messageId)
  const before = spoken.filter(({ run }) => run.id !== live.id).map((each) => partOf(each, pausing))
  const [first, ...rest] = before
  const last = await replayed(log, live.id === messageId ? { run: live } : { run: live, messageId }, pausing)
  return first === undefined ? [last] : [first, ...rest, last]
}

/** A run that was left for another answer may wait for ever, but no longer belongs to the conversation. */
function liveIn(runs: readonly StoredRun[]): StoredRun | undefined {
  const left = new Map(runs.map((run) => [run.id, run]))
  for (let run = runs.at(-1); run !== undefined; run = left.get(run.afterRunId ?? '')) {
    if (run.state !== 'ended') return run
    left.delete(run.id)
  }
  return undefined
}

/** Starts the run that answers the message. */
async function ask(services: Services, request: ChatRequest, message: Message): Promise<StoredRun> {
  const { log, runs } = services
  const { text, files } = writtenIn(message)
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

/** The last run that the conversation, as the client now sees it, has behind it. */
async function runBefore({ log }: Services, { id, messages }: ChatRequest): Promise<string | undefined> {
  const before = messages.findLast(({ role }) => role === 'assistant')
  return (await runsOfMessage(log, id, before?.id ?? '')).at(-1)?.run.id
}
