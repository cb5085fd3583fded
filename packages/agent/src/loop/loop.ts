import type { AgentHost, AgentRequest } from '@millrace/core/agent'
import type { ChatEvent, Segment } from '@millrace/core/fold'
import type { JsonObject } from '@millrace/core/json'
import { watchEnd } from '../end-watch.ts'
import { ExecutionContext } from '../execution-context.ts'
import { type McpServers, mcpTools } from '../mcp/mcp-tools.ts'
import { askModel } from '../model/ask-model.ts'
import { ModelFailure } from '../model/failure.ts'
import type { ResolvedModel } from '../model/model.ts'
import type { OfferedTool } from '../model/turn.ts'
import { loaderOf } from '../named.ts'
import { shareOf } from '../run-share.ts'
import { jsonSchemaOf } from '../schema/check-input.ts'
import type { Tool } from '../tool.ts'
import { callTools, type Tools, withEarlierQuestions } from './call-tools.ts'
import { responseEnd } from './response-end.ts'
import { createRunState } from './run-state.ts'

export interface Loop {
  readonly model: ResolvedModel
  readonly instructions: string | undefined
  readonly tools: readonly Tool[]
  readonly mcp: McpServers | undefined
  readonly maxSteps: number
  readonly options: JsonObject
}

/** Ends what a provider may have left of a frame, so that the next response begins with one of its own. */
const BETWEEN = new TextEncoder().encode('\n\n')

/**
 * Asks a model, runs the tools that it calls, and asks again, until it calls nothing, a client has to run a call, or the steps are
 * used up. Yields the provider's bytes. All that it goes by is in the log: another attempt goes on where the last one stopped.
 */
export async function* runLoop(loop: Loop, request: AgentRequest, host: AgentHost): AsyncGenerator<Uint8Array> {
  const over = new AbortController()
  try {
    const signal = AbortSignal.any([request.signal, over.signal])
    const served = loop.mcp === undefined ? [] : await mcpTools(loop.mcp, signal)
    yield* steps({ ...loop, tools: [...loop.tools, ...served] }, request, host)
  } catch (error) {
    // Whoever stops the run ends what was under way.
    if (!request.signal.aborted) throw error
  } finally {
    // What was connected for the run goes with it.
    over.abort()
  }
}

async function* steps(loop: Loop, request: AgentRequest, host: AgentHost): AsyncGenerator<Uint8Array> {
  const { signal, runId } = request
  const state = createRunState(runId)
  const tools: Tools = new Map(loop.tools.map((tool) => [tool.id, tool]))
  const clientTools = request.clientTools.filter(({ name }) => !tools.has(name))
  const offered = new Set(clientTools.map(({ name }) => name))
  const offers = [...loop.tools.map(offerOf), ...clientTools.map(clientOffer)]
  const ctx = ExecutionContext.of(request, withEarlierQuestions(host, state))
  const history = request.history
  const agentTools = namesOfOwn(loop.tools)
  if (agentTools.length > 0) await host.add([{ type: 'metadata', metadata: { millrace: { agentTools } } }])
  for (;;) {
    await state.read(host)
    for (const name of allowedIn([...history, ...state.chatEvents()])) shareOf(ctx).allowed.add(name)
    const isAnswered = await callTools(state.openCalls(), { tools, offered, ctx, host })
    if (signal.aborted || !isAnswered) return
    host.takeMessages()
    await state.read(host)
    if (!state.isRequestDue()) return
    if (state.steps() >= loop.maxSteps) throw tooManySteps(loop.maxSteps)
    const chatEvents = [...history, ...state.chatEvents().filter(isNotInHistory)]
    const turn = { ...loop, chatEvents, tools: offers, load: loaderOf(request) }
    const isComplete = yield* respond(loop.model, turn, signal)
    if (!isComplete) return
  }
}

/** Yields one response. Returns whether the loop goes on with it. */
async function* respond(
  model: ResolvedModel,
  turn: Parameters<typeof askModel>[1],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, boolean> {
  const watch = watchEnd(model.api.format, 'sse')
  for await (const bytes of askModel(model, turn, signal)) {
    watch.feed(bytes)
    yield bytes
  }
  yield BETWEEN
  const end = responseEnd(watch)
  if (end === 'broken-off') throw new ModelFailure('broken-off', `${model.api.title} ended its answer in the middle.`)
  return end === 'complete'
}

const tooManySteps = (most: number) =>
  new ModelFailure('limit', `The agent has asked its model ${most} times, which is as often as it may in one run.`)

const offerOf = ({ id, description, input }: Tool): OfferedTool => {
  return { name: id, description, parameters: jsonSchemaOf(input) }
}

const clientOffer = ({ name, description = '', parameters }: AgentRequest['clientTools'][number]): OfferedTool => {
  return { name, description, parameters: { type: 'object', ...(parameters as JsonObject | undefined) } }
}

/** A tool without `call` is one that a client runs. */
const namesOfOwn = (tools: readonly Tool[]) => tools.filter(({ call }) => call !== undefined).map(({ id }) => id)

/** The outputs that a client sent with this run: the history has them at their calls. */
const isNotInHistory = ({ role }: ChatEvent) => role !== 'tool'

/** The tools that a person has allowed for the rest of the conversation. */
function allowedIn(chatEvents: readonly ChatEvent[]): readonly string[] {
  const calls = chatEvents.flatMap(({ segments }) => segments).filter((segment) => segment.type === 'tool')
  return calls.filter(isAllowedForGood).map(({ name }) => name)
}

const isAllowedForGood = ({ approval }: Extract<Segment, { type: 'tool' }>) =>
  approval?.state === 'approved' && approval.remember === 'session' && approval.by !== undefined
