import type { Json } from '@millrace/core/json'
import type { ToolEvent } from './events.ts'
import type { ExecutionContext } from './execution-context.ts'
import { shareOf } from './run-share.ts'
import { checkInput } from './schema/check-input.ts'
import type { Tool, ToolResult } from './tool.ts'
import { untilAbort, valuesUntil } from './until-abort.ts'

const failed = (output: string): ToolResult => ({ status: 'error', output })
const STOPPED = failed('The run was stopped.')

/**
 * Runs a tool for one call, whose context is given: input check, question, progress, and one result, which is the last
 * event. Never throws.
 */
export async function* runTool(
  tool: Tool,
  value: unknown,
  ctx: ExecutionContext,
): AsyncGenerator<ToolEvent, ToolResult> {
  const result = yield* attempted(tool, value, ctx)
  const { status, output } = result
  mark(ctx, result)
  yield { type: 'result', toolName: tool.id, output, ...(status !== 'ok' && { isError: true }) }
  return result
}

async function* attempted(tool: Tool, value: unknown, ctx: ExecutionContext): AsyncGenerator<ToolEvent, ToolResult> {
  try {
    if (ctx.signal.aborted) return STOPPED
    const permitted = await permittedInput(tool, value, ctx)
    if ('status' in permitted) return permitted
    if (tool.call === undefined) return failed(`${tool.id} is a tool of the client; it does not run here.`)
    const given = tool.call(permitted.input, ctx)
    if (isAsyncIterable(given)) return yield* collected(tool, given, ctx.signal)
    return resultOf(await untilAbort(Promise.resolve(given), ctx.signal))
  } catch (error) {
    return ctx.signal.aborted ? STOPPED : failed(error instanceof Error ? error.message : String(error))
  }
}

async function* collected(
  { id }: Tool,
  events: AsyncIterable<ToolEvent>,
  signal: AbortSignal,
): AsyncGenerator<ToolEvent, ToolResult> {
  for await (const event of valuesUntil(events, signal)) {
    if (event.type === 'result') return { status: event.isError === true ? 'error' : 'ok', output: event.output }
    if (event.type !== 'progress') throw new TypeError(`${id} yields what is not the event of a tool.`)
    yield event
  }
  return failed(`${id} ended without a result.`)
}

function resultOf(value: Json | undefined): ToolResult {
  if (typeof value === 'string') return { status: 'ok', output: value }
  return value === undefined ? { status: 'ok', output: '' } : { status: 'ok', output: JSON.stringify(value), value }
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<ToolEvent> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

type Permitted = { readonly input: unknown } | ToolResult

/** The input that the tool runs with, or why it does not run. */
async function permittedInput(tool: Tool, value: unknown, ctx: ExecutionContext): Promise<Permitted> {
  const checked = await checkInput(tool.input, value)
  if ('problem' in checked) return failed(`The input does not fit ${tool.id}: ${checked.problem}.`)
  const { allowed } = shareOf(ctx)
  const { approve = false } = tool
  const isAsked = typeof approve === 'function' ? await approve(checked.input, ctx) : approve
  if (!isAsked || allowed.has(tool.id)) return checked
  const answer = await ctx.ask(permissionQuestion(tool))
  switch (answer.state) {
    case 'approved': {
      if (answer.remember === 'session') allowed.add(tool.id)
      if (answer.input === undefined) return checked
      const changed = await checkInput(tool.input, answer.input)
      return 'problem' in changed ? failed(`The changed input does not fit ${tool.id}: ${changed.problem}.`) : changed
    }
    case 'denied':
      return { status: 'denied', output: answer.message ?? 'A person has denied the call.' }
    case 'answered':
      return { status: 'denied', output: textOf(answer.answer) }
    case 'expired':
      return failed('Nobody has answered whether the call may run.')
  }
}

/** What a person is asked before a tool runs. */
export const permissionQuestion = ({ id }: Tool): string => `May ${id} run?`

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What the log shall hold of a result beyond the fields of an AgentEvent. */
function mark(ctx: ExecutionContext, { status, value, output }: ToolResult): void {
  if (ctx.callId === undefined) return
  const { marks } = shareOf(ctx)
  if (status === 'denied') marks.set(ctx.callId, { status, output })
  else if (value !== undefined) marks.set(ctx.callId, { json: true })
}
