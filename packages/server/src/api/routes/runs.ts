import { createHash } from 'node:crypto'
import {
  type Answer,
  ApiError,
  type ClientOutput,
  type RunInfo,
  type StartedRun,
  type StoppedRun,
} from '@millrace/core/api'
import { z } from 'zod'
import type { Log, StoredRun } from '../../log/log.ts'
import type { Agent } from '../../run/agent.ts'
import { answerApproval as askAnswer, stopRun as askStop, type Pending } from '../../run/ask.ts'
import type { Runs } from '../../run/runs.ts'
import { filesOf } from '../message-files.ts'
import { checked, readJson } from '../request.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { idShape, inputShape, runView } from '../shapes.ts'

const startShape = z.object({
  agent: z.string().max(200).optional(),
  input: inputShape,
  runId: idShape.optional(),
  afterRunId: idShape.nullable().optional(),
})
const keyShape = z.string().min(1).max(200).optional()
const messageShape = z.string().max(100_000).optional()
const answerShape = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('approved'),
    message: messageShape,
    remember: z.literal('session').optional(),
    input: z.json().optional(),
  }),
  z.object({ state: z.literal('denied'), message: messageShape }),
  z.object({ state: z.literal('answered'), answer: z.json() }),
])

async function startRun(context: Context, services: Services): Promise<Response> {
  const threadId = checked(context.req.param('id'), idShape)
  const asked = await readJson(context, services.limits, startShape)
  const { agent, input, runId, afterRunId } = asked
  const idempotencyKey = checked(context.req.header('idempotency-key'), keyShape)
  const run = await services.runs.start({
    threadId,
    agent: agentNamed(services.runs, agent).name,
    input: {
      ...input,
      files: await filesOf(services.files, input.files),
      toolOutputs: input.toolOutputs.map(outputOf),
    },
    ...(runId !== undefined && { runId }),
    ...(afterRunId === null ? { isFirst: true } : afterRunId !== undefined && { afterRunId }),
    ...(idempotencyKey !== undefined && { idempotencyKey, requestHash: hashOf(asked) }),
  })
  services.requests.note(context, { run: run.id })
  return json<StartedRun>(context, { runId: run.id, threadId: run.threadId }, 201)
}

/** An idempotency key stands for one request: the hash detects another request under the same key. */
const hashOf = (asked: object) => createHash('sha256').update(JSON.stringify(asked)).digest('base64')

function outputOf({ callId, output, error }: z.output<typeof inputShape>['toolOutputs'][number]): ClientOutput {
  return { callId, ...(output !== undefined && { output }), ...(error !== undefined && { error }) }
}

/** The agent with this name; without a name, the first that can run. */
export function agentNamed(runs: Runs, name: string | undefined): Agent {
  const agents = runs.agents()
  const isDefault = ({ unavailable }: Agent) => unavailable?.() === undefined
  const agent = name === undefined ? (agents.find(isDefault) ?? agents[0]) : agents.find((each) => each.name === name)
  if (agent !== undefined) return agent
  throw new ApiError(404, 'unknown-agent', name === undefined ? 'There is no agent.' : `No agent is called "${name}".`)
}

async function showRun(context: Context, { log }: Services): Promise<Response> {
  const run = await runOf(context, log)
  return json<RunInfo>(context, runView(run))
}

/** The run that the path names. Throws 404. */
export async function runOf(context: Context, log: Log): Promise<StoredRun> {
  const id = context.req.param('id') ?? ''
  const run = await log.run(id)
  if (run === undefined) throw new ApiError(404, 'unknown-run', `There is no run "${id}".`)
  return run
}

async function stopRun(context: Context, { log, runs, limits }: Services): Promise<Response> {
  const { id } = await runOf(context, log)
  const { by } = await readJson(context, limits, z.object({ by: z.string().max(200).optional() }))
  const stopped = await askStop(runs, id, by)
  return typeof stopped === 'object' ? accepted(context, stopped) : json<StoppedRun>(context, { runId: id, stopped })
}

async function answerApproval(context: Context, { log, runs, limits }: Services): Promise<Response> {
  const { id, agent } = await runOf(context, log)
  const approvalId = context.req.param('approvalId') ?? ''
  const answer = await readJson(context, limits, answerShape)
  const isChanged = answer.state === 'approved' && answer.input !== undefined
  if (isChanged && agent !== undefined && !canEdit(runs, agent)) {
    throw new ApiError(
      409,
      'cannot-edit',
      `"${agent}" runs its calls as it wrote them: deny the call and say what to change.`,
    )
  }
  const answered = await askAnswer(runs, id, approvalId, answerOf(answer))
  if (answered === 'not-asked') throw new ApiError(409, 'not-asked', `No approval "${approvalId}" is open.`)
  if (answered !== 'answered') return accepted(context, answered)
  return context.json({ runId: id, approvalId, state: answer.state })
}

/** An agent that ignores a changed input would run what nobody has approved. */
const canEdit = (runs: Runs, agent: string): boolean =>
  runs.agents().find(({ name }) => name === agent)?.can?.edit === true

function answerOf(answer: z.output<typeof answerShape>): Answer {
  if (answer.state === 'answered') return answer
  const explained = answer.message === undefined ? {} : { message: answer.message }
  if (answer.state === 'denied') return { state: answer.state, ...explained }
  const { state, remember, input } = answer
  return { state, ...explained, ...(remember !== undefined && { remember }), ...(input !== undefined && { input }) }
}

/** The command is stored, and its result is not there yet. */
const accepted = (context: Context, { number }: Pending): Response => context.json({ number }, 202)

export const runRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/threads/:id/runs', policy: 'token', handle: startRun },
  { method: 'GET', path: '/api/runs/:id', policy: 'token', handle: showRun },
  { method: 'POST', path: '/api/runs/:id/stop', policy: 'token', handle: stopRun },
  { method: 'POST', path: '/api/runs/:id/approvals/:approvalId', policy: 'token', handle: answerApproval },
]
