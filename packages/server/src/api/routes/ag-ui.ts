import { ApiError } from '@millrace/core/api/api-error'
import type { StoredRun } from '../../log/log.ts'
import { askedIn, outputsIn, type RunRequest, runShape } from '../ag-ui/request.ts'
import { AG_UI, answerAndFind } from '../ag-ui/resume.ts'
import { readJson } from '../body.ts'
import { goOnWithOutputs } from '../client-tools.ts'
import { storedFiles } from '../files/stored-files.ts'
import { goneOn, replayed, respond } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { agentNamed } from './runs.ts'

/**
 * A new question starts the run that the client names, and so do the results of tools that it has run; answered
 * interrupts let a run go on. A run that is there already is replayed from its first chunk: that is how a client of this
 * protocol comes back.
 */
async function post(context: Context, services: Services): Promise<Response> {
  const agent = agentNamed(services.runs, context.req.param('agent')).name
  const request = await readJson(context, runShape)
  if (request.resume.length > 0) {
    const { run, resumption } = await answerAndFind(services, request)
    return respond(context, services, [goneOn({ run }, AG_UI, resumption)])
  }
  const run = (await known(services, request)) ?? (await begun(services, agent, request))
  return respond(context, services, [await replayed(services.log, { run }, AG_UI)])
}

async function known({ log }: Services, { runId, threadId }: RunRequest): Promise<StoredRun | undefined> {
  const run = await log.run(runId)
  if (run === undefined || run.threadId === threadId) return run
  throw new ApiError(409, 'wrong-thread', 'The run belongs to another thread.')
}

async function begun(services: Services, agent: string, request: RunRequest): Promise<StoredRun> {
  const { log, runs, files } = services
  const asked = askedIn(request)
  const { threadId, runId } = request
  if (asked === undefined) return brought(services, agent, request)
  const input = { text: asked.text, files: await storedFiles(files, asked.files) }
  const run = await runs.start({ threadId, runId, agent, input })
  return (await log.run(run.id)) ?? run
}

/** On this wire the id of a call begins with that of its run. */
async function brought(services: Services, agent: string, request: RunRequest): Promise<StoredRun> {
  const { threadId, runId } = request
  const runs = await services.log.runs(threadId)
  const outputs = outputsIn(request).map(({ callId, ...output }) => {
    const run = runs.find(({ id }) => callId.startsWith(`${id}/`))
    return { ...output, callId: run === undefined ? callId : callId.slice(run.id.length + 1) }
  })
  if (outputs.length === 0) {
    throw new ApiError(400, 'nothing-new', 'The last message asks nothing, and nothing is answered.')
  }
  return goOnWithOutputs(services, { threadId, outputs, runs, agent, runId })
}

export const agUiRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/ag-ui/:agent', policy: 'token', handle: post },
]
