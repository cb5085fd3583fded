import { ApiError, type ClientOutput, mainRuns, type StoppedConversation } from '@millrace/core/api'
import { z } from 'zod'
import type { ResponseParts } from '../../deliver/follow-parts.ts'
import type { Log, StoredRun } from '../../log/log.ts'
import type { StartOptions } from '../../run/runs.ts'
import { hydrationOf } from '../ag-ui/hydration.ts'
import {
  clientIdOf,
  clientIn,
  contentOf,
  outputsIn,
  profileIn,
  questionIn,
  type RunRequest,
  runShape,
} from '../ag-ui/request.ts'
import { agUiIn, answerInterrupts } from '../ag-ui/resume.ts'
import { sentMessages } from '../ag-ui/sent-messages.ts'
import { snapshotResponse } from '../ag-ui/snapshot.ts'
import { clientIdsIn, runBeforeNext } from '../branch.ts'
import { continueWithOutputs, openOutputs } from '../client-tools.ts'
import { conversationStream, startedResponse } from '../conversation-stream.ts'
import { storedFiles } from '../message-files.ts'
import type { WireChoice } from '../pauses.ts'
import { checked, readJson, readQuery } from '../request.ts'
import { json, replayPart, resumedPart, streamResponse } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape, cursorShape, idShape } from '../shapes.ts'
import { stopConversation } from '../stop-conversation.ts'
import { agentNamed } from './runs.ts'
import { profileOf } from './streams.ts'

/**
 * A new question, or results of tools that the client has run, start the run that the client names; answered interrupts
 * resume a run. A run that exists already is replayed from its first chunk: clients of this protocol reconnect that way.
 */
async function post(context: Context, services: Services): Promise<Response> {
  const agent = agentNamed(services.runs, context.req.param('agent')).name
  const stream = conversationStream(context, services)
  const request = await readJson(context, services.limits, runShape)
  const choice = agUiIn(profileOf(context, 'ag-ui') ?? profileIn(request))
  if (await isLoading(services, request)) return snapshotResponse(context, services.log, request, choice)
  return startedResponse(services, request.threadId, stream, () => responseTo(services, agent, request, choice))
}

async function responseTo(
  services: Services,
  agent: string,
  request: RunRequest,
  choice: WireChoice,
): Promise<ResponseParts> {
  if (request.resume.length > 0) {
    const { run, resumption } = await answerInterrupts(services, choice, request)
    return [resumedPart({ run }, choice, resumption)]
  }
  const run = (await existingRun(services, request)) ?? (await newRun(services, agent, request))
  return [await replayPart(services.log, { run }, choice)]
}

const stopShape = z.object({ threadId: idShape, runId: z.string().max(1_000).optional() })

/** Stops what the thread has live, up to the run that the client names, if it names one. */
async function stop(context: Context, services: Services): Promise<Response> {
  agentNamed(services.runs, context.req.param('agent'))
  const { threadId, runId } = await readJson(context, services.limits, stopShape)
  const named = { lastSeen: async (runs: readonly StoredRun[]) => runs.find(({ id }) => isRun(id, runId ?? '')) }
  const stopped = await stopConversation(services, { threadId, ...(runId !== undefined && named) })
  return json<StoppedConversation>(context, stopped)
}

/** Behind an answer, a run is `<runId>.1`, `.2` … to the client. */
const isRun = (id: string, name: string) =>
  name === id || (name.startsWith(`${id}.`) && /^\d+$/.test(name.slice(id.length + 1)))

const hasNews = (request: RunRequest) => questionIn(request) !== undefined || outputsIn(request).length > 0

/** Whether the client only wants to know what the thread holds. */
async function isLoading(services: Services, request: RunRequest): Promise<boolean> {
  if (request.resume.length > 0 || hasNews(request)) return false
  if ((await existingRun(services, request)) !== undefined) return false
  return (await services.log.thread(request.threadId)) !== undefined
}

const joinShape = z.object({ runId: idShape, offset: z.string().max(100).default('-1') })

/** The most runs that are loaded at once. */
const MOST_RUNS = 200

const hydrateShape = z.object({
  threadId: idShape,
  before: idShape.optional(),
  limit: countShape(MOST_RUNS).default(MOST_RUNS),
})

/**
 * What TanStack's client asks for when a page is opened: a thread by its id, and then its live run. Like the POST of this
 * client, its requests name no version.
 */
async function open(context: Context, services: Services): Promise<Response> {
  const choice = agUiIn(profileOf(context, 'ag-ui') ?? '0')
  if (context.req.query('runId') !== undefined) return join(context, services, choice)
  const { threadId, before, limit } = readQuery(context, hydrateShape)
  const page = { limit, ...(before !== undefined && { before }) }
  return json(context, await hydrationOf(services.log, threadId, page, choice))
}

/** A run from its first chunk, or behind a cursor, for clients that join a run by its id alone. */
async function join(context: Context, services: Services, choice: WireChoice): Promise<Response> {
  const { runId, offset } = readQuery(context, joinShape)
  const run = await services.log.run(runId)
  if (run === undefined) throw new ApiError(404, 'unknown-run', `There is no run "${runId}".`)
  // A client that was cut off repeats the request with a cursor.
  const cursor = context.req.header('last-event-id') || offset
  const after = cursor === '-1' ? {} : { after: checked(cursor, cursorShape) }
  return streamResponse(context, services, [{ ...(await replayPart(services.log, { run }, choice)), ...after }])
}

async function existingRun({ log }: Services, { runId, threadId }: RunRequest): Promise<StoredRun | undefined> {
  const run = await log.run(runId)
  if (run === undefined || run.threadId === threadId) return run
  throw new ApiError(409, 'wrong-thread', 'The run belongs to another thread.')
}

async function newRun(services: Services, agent: string, request: RunRequest): Promise<StoredRun> {
  const { log, runs, files } = services
  const question = questionIn(request)
  const client = clientIn(request)
  const { threadId, runId } = request
  if (question === undefined) return runWithOutputs(services, agent, request)
  const { text, files: sent } = contentOf(question)
  const clientId = clientIdOf(question)
  const position = await positionOf(services, request, clientId)
  const toolOutputs = await lateOutputs(log, position.afterRunId, outputsIn(request))
  const input = {
    text,
    files: await storedFiles(files, sent),
    ...(toolOutputs.length > 0 && { toolOutputs }),
    ...(client && { client }),
    ...(clientId && { clientId }),
  }
  const run = await runs.start({ threadId, runId, agent, input, ...position })
  return (await log.run(run.id)) ?? run
}

/**
 * Where the run goes in its thread: behind the last run that the client's messages show. A question that the client has
 * asked before, and shows as its first, is asked again from the beginning. Without earlier messages the thread goes on: the
 * client may not have loaded them.
 */
async function positionOf(
  services: Services,
  { threadId, messages }: RunRequest,
  clientId: string | undefined,
): Promise<Pick<StartOptions, 'afterRunId' | 'isFirst'>> {
  const { log, files } = services
  const afterRunId = await runBeforeNext(services, threadId, sentMessages(files, messages.slice(0, -1)))
  if (afterRunId !== undefined) return { afterRunId }
  const asked = clientId === undefined ? undefined : await runAsking(log, threadId, clientId)
  if (asked === undefined) return {}
  return asked.afterRunId === undefined ? { isFirst: true } : { afterRunId: asked.afterRunId }
}

async function runAsking(log: Log, threadId: string, clientId: string): Promise<StoredRun | undefined> {
  for (const run of mainRuns(await log.runs(threadId))) if ((await clientIdsIn(log, run)).includes(clientId)) return run
  return undefined
}

/** Results that come with a question. */
async function lateOutputs(log: Log, runId: string | undefined, outputs: readonly ClientOutput[]) {
  if (runId === undefined) return []
  return openOutputs(log, runId, outputsOf(runId, outputs))
}

/** The outputs of one run's calls. On this wire the id of a call begins with that of its run. */
function outputsOf(runId: string, outputs: readonly ClientOutput[]): readonly ClientOutput[] {
  const prefix = `${runId}/`
  return outputs.flatMap(({ callId, ...output }) =>
    callId.startsWith(prefix) ? [{ ...output, callId: callId.slice(prefix.length) }] : [],
  )
}

/** Calls of several runs may have one id: an output goes to the run that its own id names. */
async function runWithOutputs(services: Services, agent: string, request: RunRequest): Promise<StoredRun> {
  const { threadId, runId } = request
  const sent = outputsIn(request)
  if (sent.length === 0) {
    throw new ApiError(400, 'nothing-new', 'The last message asks nothing, and nothing is answered.')
  }
  const client = clientIn(request)
  const all = mainRuns(await services.log.runs(threadId))
  const named = all.flatMap((run) => {
    const outputs = outputsOf(run.id, sent)
    return outputs.length === 0 ? [] : [{ runs: [run], outputs }]
  })
  const returned = named.at(-1) ?? { runs: all, outputs: sent }
  return continueWithOutputs(services, { threadId, agent, runId, ...returned, ...(client && { client }) })
}

export const agUiRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/ag-ui/:agent', policy: 'token', handle: post },
  { method: 'GET', path: '/api/ag-ui/:agent', policy: 'token', handle: open },
  { method: 'POST', path: '/api/ag-ui/:agent/stop', policy: 'token', handle: stop },
]
