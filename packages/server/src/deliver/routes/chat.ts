import { readJson } from '../body.ts'
import { answerAndFind, CHAT } from '../chat/answer.ts'
import { answeredIn, type ChatRequest, chatShape, idempotencyKeyOf, writtenIn } from '../chat/chat-request.ts'
import { ApiError } from '../errors.ts'
import { goOn, replay } from '../pausing-response.ts'
import type { Context, Route, Services } from '../services.ts'
import { storedFiles } from '../stored-files.ts'
import { agentNamed } from './runs.ts'

/** A new question starts a run; answered approvals let one go on. Either way the response is what follows. */
async function post(context: Context, services: Services): Promise<Response> {
  const request = await readJson(context, chatShape)
  const last = request.messages.at(-1)
  if (last?.role === 'user') return replay(context, services, await ask(services, request, last), CHAT)
  const approvals = last === undefined ? [] : answeredIn(last)
  if (last === undefined || approvals.length === 0) {
    throw new ApiError(400, 'nothing-new', 'The last message neither asks nor answers anything.')
  }
  const { run, after } = await answerAndFind(services, request.id, last.id, approvals)
  return goOn(context, services, run, CHAT, after)
}

/** Starts the run that answers the message. */
async function ask(services: Services, request: ChatRequest, message: ChatRequest['messages'][number]) {
  const { log, runs } = services
  const { text, files } = writtenIn(message)
  const key = idempotencyKeyOf(request, message)
  const afterRunId = key === undefined ? await runBefore(services, request) : undefined
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

/** The run that the conversation, as the client now sees it, has behind it: a run is one message there. */
async function runBefore({ log }: Services, { id, messages }: ChatRequest): Promise<string | undefined> {
  const before = messages.findLast(({ role }) => role === 'assistant')
  return (await log.runs(id)).find((run) => run.id === before?.id)?.id
}

/** The live run of a chat, from its first chunk; 204 where there is none. */
async function reconnect(context: Context, services: Services): Promise<Response> {
  const runs = await services.log.runs(context.req.param('id') ?? '')
  const live = runs.findLast(({ state }) => state !== 'ended')
  return live === undefined ? context.body(null, 204) : replay(context, services, live, CHAT)
}

export const chatRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/chat', policy: 'token', handle: post },
  { method: 'GET', path: '/api/chat/:id/stream', policy: 'token', handle: reconnect },
]
