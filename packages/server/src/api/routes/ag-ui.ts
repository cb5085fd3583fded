import { ApiError } from '@millrace/core/api'
import { z } from 'zod'
import type { StoredRun } from '../../log/log.ts'
import { outputsIn, questionIn, type RunRequest, runShape } from '../ag-ui/request.ts'
import { AG_UI, answerInterrupts } from '../ag-ui/resume.ts'
import { snapshotResponse } from '../ag-ui/snapshot.ts'
import { continueWithOutputs } from '../client-tools.ts'
import { storedFiles } from '../message-files.ts'
import { checked, readJson, readQuery } from '../request.ts'
import { replayPart, resumedPart, streamResponse } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { cursorShape, idShape } from '../shapes.ts'
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
  const existing = await existingRun(services, request)
  if (existing === undefined && !hasNews(request) && (await services.log.thread(request.threadId)) !== undefined) {
    return snapshotResponse(context, services.log, request)
  }
  const run = existing ?? (await newRun(services, agent, request))
  return streamResponse(context, services, [await replayPart(services.log, { run }, AG_UI)])
}

const hasNews = (request: RunRequest) => questionIn(request) !== undefined || outputsIn(request).length > 0

const joinShape = z.object({ runId: idShape, offset: z.string().max(100).default('-1') })

/** A run from its first chunk, or behind a cursor, for clients that join a run by its id alone. */
async function join(context: Context, services: Services): Promise<Response> {
  const { runId, offset } = readQuery(context, joinShape)
  const run = await services.log.run(runId)
  if (run === undefined) throw new ApiError(404, 'unknown-run', `There is no run "${runId}".`)
  const after = offset === '-1' ? {} : { after: checked(offset, cursorShape) }
  return streamResponse(context, services, [{ ...(await replayPart(services.log, { run }, AG_UI)), ...after }])
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
  const input = { ...question, files: await storedFiles(files, question.files) }
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
  { method: 'GET', path: '/api/ag-ui/:agent', policy: 'token', handle: join },
]
