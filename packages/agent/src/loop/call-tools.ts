import type { AgentHost, ApprovalAnswer, ApprovalRequest } from '@millrace/core/agent'
import { type EventOf, progressFields } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import type { ExecutionContext } from '../execution-context.ts'
import { permissionQuestion, runTool } from '../run-tool.ts'
import type { Tool, ToolResult } from '../tool.ts'
import type { OpenCall, RunState } from './run-state.ts'

/** The tools of an agent, by the name that the model calls them by. */
export type Tools = ReadonlyMap<string, Tool>

/** What a call of the step needs. */
export interface Calling {
  readonly tools: Tools
  /** The tools that the client offers: it runs them. */
  readonly offered: ReadonlySet<string>
  readonly ctx: ExecutionContext
  readonly host: AgentHost
}

/** What the model is told of a call that ended with its process. */
const INTERRUPTED =
  'The call was interrupted: the program that ran it stopped. Whether it had an effect is not known; check before you repeat it.'

/**
 * Runs the calls of a step, all at once, and hands each output to the log as it comes. Resolves with whether all of them have an
 * output: those that a client runs have none. After a stop nothing is handed over.
 */
export async function callTools(calls: readonly OpenCall[], calling: Calling): Promise<boolean> {
  const settled = await Promise.all(calls.map((call) => answerCall(call, calling)))
  return settled.every((isAnswered) => isAnswered)
}

/** Resolves with whether the call has its answer, or another way to get one than from a client. */
async function answerCall(call: OpenCall, { tools, offered, ctx, host }: Calling): Promise<boolean> {
  const { callId, name, runBy, question } = call
  const add = async (output: Omit<EventOf<'tool-output'>, 'type' | 'callId'>) => {
    if (!ctx.signal.aborted) await host.add([{ type: 'tool-output', callId, ...output }])
    return true
  }
  if (runBy === 'provider') return question?.answer !== undefined || isHeard(question, host)
  const tool = tools.get(name)
  const isOfClient = tool === undefined ? offered.has(name) : tool.call === undefined
  if (isOfClient) return false
  if (tool === undefined) return add(failure(`There is no tool "${name}".`))
  if (call.isInterrupted || hasAskedItself(call, tool)) return add(failure(INTERRUPTED))
  if (call.input === undefined) return add(failure(`The input of ${name} is not JSON.`))
  // Who was asked is heard, whatever the tool would say now.
  const asking = question === undefined ? tool : { ...tool, approve: true }
  const running = runTool(asking, call.input, ctx.forCall(callId))
  for (;;) {
    const next = await running.next()
    if (next.done) return add(outputOf(next.value))
    if (next.value.type === 'progress' && !ctx.signal.aborted) await host.add([progressOf(callId, next.value.data)])
  }
}

/** Whether an earlier attempt has asked for the call, but not whether it may run: then the tool was running. */
const hasAskedItself = ({ question }: OpenCall, tool: Tool): boolean =>
  question !== undefined && question.message !== permissionQuestion(tool)

/** Whether a person has answered what the provider asks about a call of its own. */
async function isHeard(question: OpenCall['question'], host: AgentHost): Promise<boolean> {
  if (question === undefined) return true
  return (await host.answer(question.approvalId)).state !== 'expired'
}

const failure = (error: string) => ({ status: 'error', output: error, error }) as const

function outputOf({ status, output, value }: ToolResult): Omit<EventOf<'tool-output'>, 'type' | 'callId'> {
  return status === 'ok' ? { status, output: value ?? output } : { status, output, error: output }
}

function progressOf(callId: string, reported: unknown): EventOf<'tool-progress'> {
  // The log holds JSON: what is not, such as a function, is left out.
  const text = JSON.stringify(reported)
  const data = text === undefined ? null : (JSON.parse(text) as Json)
  return { type: 'tool-progress', callId, ...progressFields(data) }
}

/**
 * The host, with the questions that an earlier attempt has asked: they are not asked again, and their answers count wherever
 * they came.
 */
export function withEarlierQuestions(host: AgentHost, state: RunState): AgentHost {
  return {
    ...host,
    async ask(request: ApprovalRequest): Promise<ApprovalAnswer> {
      const call = state.openCalls().find(({ callId }) => callId === request.callId)
      const { approvalId, answer } = call?.question ?? {}
      if (approvalId === undefined) return host.ask(request)
      return answer ?? host.answer(approvalId)
    },
  }
}
