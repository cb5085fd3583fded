import type { ChildRun } from '@millrace/core/agent'
import type { EventOf, Outcome, StreamEvent, SubagentStatus } from '@millrace/core/events'
import type { ToolEvent } from './events.ts'
import type { ExecutionContext } from './execution-context.ts'
import { createAnswerText } from './nested/answer-text.ts'
import { nestedEvent, withoutOthers } from './nested/nested-event.ts'
import { type RunShare, shareOf } from './run-share.ts'
import { defineTool, type Tool, type ToolResult } from './tool.ts'
import { untilAbort, valuesUntil } from './until-abort.ts'

const TOOL = 'call-agent'

export interface ChildTask {
  readonly name: string
  readonly task: string
  readonly forward: boolean
}

/** Another agent as a tool: its answer is the output. */
export const callAgentTool: Tool<{ readonly agentId: string; readonly task: string }> = defineTool({
  id: TOOL,
  description: 'Gives a task to another agent and returns its answer.',
  input: {
    type: 'object',
    properties: {
      agentId: { type: 'string', description: 'The name of the agent.' },
      task: { type: 'string', description: 'The task, with everything that the agent must know.' },
    },
    required: ['agentId', 'task'],
  },
  call: ({ agentId, task }, ctx) => ctx.callAgent(agentId, task),
})

/** Runs another agent; see `ExecutionContext.callAgent`. Never throws: a run that fails is a failed result. */
export async function* runChild(ctx: ExecutionContext, task: ChildTask): AsyncGenerator<ToolEvent, ToolResult> {
  const result = yield* attempted(ctx, task)
  const { status, output } = result
  yield { type: 'result', toolName: TOOL, output, ...(status !== 'ok' && { isError: true }) }
  return result
}

const failed = (output: string): ToolResult => ({ status: 'error', output })

async function* attempted(ctx: ExecutionContext, task: ChildTask): AsyncGenerator<ToolEvent, ToolResult> {
  const shared = shareOf(ctx)
  const { host } = shared
  if (host === undefined) return failed('There is no server that could run another agent.')
  try {
    const child = await untilAbort(host.runAgent(task.name, task.task), ctx.signal)
    return yield* followed(child, ctx, shared, task)
  } catch (error) {
    if (ctx.signal.aborted) return failed('The run was stopped.')
    return failed(error instanceof Error ? error.message : String(error))
  }
}

async function* followed(
  child: ChildRun,
  ctx: ExecutionContext,
  shared: RunShare,
  { name, task, forward }: ChildTask,
): AsyncGenerator<ToolEvent, ToolResult> {
  const agentId = child.runId
  const call = ctx.callId === undefined ? {} : { callId: ctx.callId }
  const answer = createAnswerText()
  let end: EventOf<'run-end'> | undefined
  try {
    await shared.add([{ type: 'subagent-start', agentId, name, task, ...call }])
    for await (const event of valuesUntil(withoutOthers(child.events()), ctx.signal)) {
      if (event.type === 'run-end') end = event
      if (event.type === 'approval' && event.state === 'requested') relay(event, child, ctx, shared)
      const nested = forward ? nestedEvent(event, agentId) : undefined
      if (nested !== undefined) await shared.add([nested])
      const text = answer.push(event)
      if (text !== '') yield { type: 'progress', toolName: TOOL, data: text }
    }
    const result = resultOf(name, answer.text(), end)
    await shared.add([subagentEnd(agentId, end?.outcome ?? 'interrupted', result.output)])
    return result
  } finally {
    // The caller may leave before the end.
    if (end === undefined) child.stop().catch(() => undefined)
  }
}

/** A question of the other agent is asked here, where a person looks. */
function relay(
  { approvalId, message, request }: EventOf<'approval'>,
  child: ChildRun,
  ctx: ExecutionContext,
  { host }: RunShare,
): void {
  const call = ctx.callId === undefined ? {} : { callId: ctx.callId }
  host
    ?.ask({ ...call, message: message ?? 'May it go on?', ...(request !== undefined && { request }) })
    .then((answer) => child.answer(approvalId, answer))
    // The run has ended, and its questions with it.
    .catch(() => undefined)
}

const statuses: { readonly [Key in Outcome]: SubagentStatus } = {
  success: 'done',
  error: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  'awaiting-input': 'interrupted',
}

/** The run is named beside the subagent, whose id in the log is that of its call, if there is one. */
const subagentEnd = (runId: string, outcome: Outcome, summary: string): StreamEvent => ({
  type: 'subagent-end',
  agentId: runId,
  status: statuses[outcome],
  ...(summary !== '' && { summary }),
  meta: { millrace: { runId } },
})

function resultOf(name: string, text: string, end: EventOf<'run-end'> | undefined): ToolResult {
  if (end?.outcome === 'success') return { status: 'ok', output: text }
  const reason = end?.error?.message ?? `${name} ended as ${end?.outcome ?? 'interrupted'}.`
  return failed(text === '' ? reason : `${text}\n\n${reason}`)
}
