import type { RunInfo } from '../../log/log.ts'
import { askedIn, type RunRequest, runShape } from '../ag-ui/request.ts'
import { AG_UI, answerAndFind } from '../ag-ui/resume.ts'
import { readJson } from '../body.ts'
import { ApiError } from '../errors.ts'
import { goOn, replay } from '../pausing-response.ts'
import type { Context, Route, Services } from '../services.ts'
import { storedFiles } from '../stored-files.ts'
import { agentNamed } from './runs.ts'

/**
 * A new question starts the run that the client names; answered interrupts let one go on. A run that is there already
 * is replayed from its first chunk: that is how a client of this protocol comes back.
 */
async function post(context: Context, services: Services): Promise<Response> {
  const agent = agentNamed(services.runs, context.req.param('agent')).name
  const request = await readJson(context, runShape)
  if (request.resume.length > 0) {
    const { run, after } = await answerAndFind(services, request)
    return goOn(context, services, run, AG_UI, after)
  }
  return replay(context, services, (await known(services, request)) ?? (await ask(services, agent, request)), AG_UI)
}

async function known({ log }: Services, { runId, threadId }: RunRequest): Promise<RunInfo | undefined> {
  const run = await log.run(runId)
  if (run === undefined || run.threadId === threadId) return run
  throw new ApiError(409, 'wrong-thread', 'The run belongs to another thread.')
}

async function ask({ log, runs, files }: Services, agent: string, request: RunRequest): Promise<RunInfo> {
  const asked = askedIn(request)
  if (asked === undefined)
    throw new ApiError(400, 'nothing-new', 'The last message asks nothing, and nothing is answered.')
  const input = { text: asked.text, files: await storedFiles(files, asked.files) }
  const run = await runs.start({ threadId: request.threadId, runId: request.runId, agent, input })
  return (await log.run(run.id)) ?? run
}

export const agUiRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/ag-ui/:agent', policy: 'token', handle: post },
]
