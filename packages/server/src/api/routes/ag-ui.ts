import { ApiError, type ClientOutput } from '@millrace/core/api'
import type { Log, StoredRun } from '../../log/log.ts'
import type { StartOptions } from '../../run/runs.ts'
import { clientIdOf, clientIn, contentOf, outputsIn, questionIn, type RunRequest, runShape } from '../ag-ui/request.ts'
import { AG_UI, answerInterrupts } from '../ag-ui/resume.ts'
import { sentMessages } from '../ag-ui/sent-messages.ts'
import { clientIdsIn, runBeforeNext } from '../branch.ts'
import { continueWithOutputs, openOutputs } from '../client-tools.ts'
import { storedFiles } from '../message-files.ts'
import { readJson } from '../request.ts'
import { replayPart, resumedPart, streamResponse } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { agentNamed } from './runs.ts'

/**
 * A new question, or results of tools that the client has run, start the run that the client names; answered interrupts
 * resume a run. A run that exists already is replayed from its first chunk: clients of this protocol reconnect that way.
 */
async function post(context: Context, services: Services): Promise<Response> {
  const agent = agentNamed(services.runs, context.req.param('agent')).name
  const request = await readJson(context, services.limits, runShape)
  if (request.resume.length > 0) {
    const { run, resumption } = await answerInterrupts(services, request)
    return streamResponse(context, services, [resumedPart({ run }, AG_UI, resumption)])
  }
  const run = (await existingRun(services, request)) ?? (await newRun(services, agent, request))
  return streamResponse(context, services, [await replayPart(services.log, { run }, AG_UI)])
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
  }
  const run = await runs.start({ threadId, runId, agent, input, ...position, ...(clientId && { clientId }) })
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
  for (const run of await log.runs(threadId)) if ((await clientIdsIn(log, run)).includes(clientId)) return run
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
  const all = await services.log.runs(threadId)
  const named = all.flatMap((run) => {
    const outputs = outputsOf(run.id, sent)
    return outputs.length === 0 ? [] : [{ runs: [run], outputs }]
  })
  const returned = named.at(-1) ?? { runs: all, outputs: sent }
  return continueWithOutputs(services, { threadId, agent, runId, ...returned, ...(client && { client }) })
}

export const agUiRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/ag-ui/:agent', policy: 'token', handle: post },
]
