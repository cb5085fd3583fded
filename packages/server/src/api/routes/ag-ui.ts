import { ApiError } from '@millrace/core/api'
import type { StoredRun } from '../../log/log.ts'
import { outputsIn, profileIn, questionIn, type RunRequest, runShape } from '../ag-ui/request.ts'
import { agUiIn, answerInterrupts } from '../ag-ui/resume.ts'
import { continueWithOutputs } from '../client-tools.ts'
import { storedFiles } from '../message-files.ts'
import { readJson } from '../request.ts'
import { replayPart, resumedPart, streamResponse } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { agentNamed } from './runs.ts'
import { profileOf } from './streams.ts'

/**
 * A new question, or results of tools that the client has run, start the run that the client names; answered interrupts
 * resume a run. A run that exists already is replayed from its first chunk: clients of this protocol reconnect that way.
 */
async function post(context: Context, services: Services): Promise<Response> {
  const agent = agentNamed(services.runs, context.req.param('agent')).name
  const request = await readJson(context, services.limits, runShape)
  const choice = agUiIn(profileOf(context, 'ag-ui') ?? profileIn(request))
  if (request.resume.length > 0) {
    const { run, resumption } = await answerInterrupts(services, choice, request)
    return streamResponse(context, services, [resumedPart({ run }, choice, resumption)])
  }
  const run = (await existingRun(services, request)) ?? (await newRun(services, agent, request))
  return streamResponse(context, services, [await replayPart(services.log, { run }, choice)])
}

async function existingRun({ log }: Services, { runId, threadId }: RunRequest): Promise<StoredRun | undefined> {
  const run = await log.run(runId)
  if (run === undefined || run.threadId === threadId) return run
  throw new ApiError(409, 'wrong-thread', 'The run belongs to another thread.')
}

async function newRun(services: Services, agent: string, request: RunRequest): Promise<StoredRun> {
  const { log, runs, files } = services
  const question = questionIn(request)
  const { threadId, runId } = request
  if (question === undefined) return runWithOutputs(services, agent, request)
  const input = { text: question.text, files: await storedFiles(files, question.files) }
  const run = await runs.start({ threadId, runId, agent, input })
  return (await log.run(run.id)) ?? run
}

/** On this wire the id of a call begins with that of its run. */
async function runWithOutputs(services: Services, agent: string, request: RunRequest): Promise<StoredRun> {
  const { threadId, runId } = request
  const runs = await services.log.runs(threadId)
  const outputs = outputsIn(request).map(({ callId, ...output }) => {
    const run = runs.find(({ id }) => callId.startsWith(`${id}/`))
    return { ...output, callId: run === undefined ? callId : callId.slice(run.id.length + 1) }
  })
  if (outputs.length === 0) {
    throw new ApiError(400, 'nothing-new', 'The last message asks nothing, and nothing is answered.')
  }
  return continueWithOutputs(services, { threadId, outputs, runs, agent, runId })
}

export const agUiRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/ag-ui/:agent', policy: 'token', handle: post },
]
