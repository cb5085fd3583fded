import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Call } from '../langchain/calls.ts'
import { type GraphScope, inputEvents } from '../langchain/emitted-message.ts'
import { errorOf } from '../langchain/graph.ts'
import { objectOf, readMessage, wordOf } from '../langchain/message.ts'
import { toolEvents, toolMessageIn } from '../langchain/others.ts'
import { understood, unmapped } from '../parser.ts'
import type { RawEvent } from './raw.ts'
import { originOf, type Run, scopeInTool } from './run.ts'

/** How many tool runs without an end are remembered. */
const MAX_RUNNING = 1024

/** A tool starts. Most versions do not name its call, which is one of the same name that is not running yet. */
export function toolStart(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { calls, namespaces } = run.graph
  const { place: origin, events } = originOf(run, raw, false)
  const scope = scopeInTool(run, raw) ?? origin.scope
  const name = nameOf(raw)
  const runId = runIdOf(raw)
  const input = inputOf(objectOf(raw.data).input)
  const existing = calls.find(scope, callIdOf(raw)) ?? waiting(run, scope, name, input)
  const begun =
    existing ?? calls.start({ scope }, { id: callIdOf(raw) ?? runId, name, index: undefined, runBy: 'agent' })
  const call = 'call' in begun ? begun.call : begun
  remember(run.tools, runId, call, MAX_RUNNING)
  const task = wordOf(objectOf(raw.metadata).langgraph_checkpoint_ns)?.split('|').at(-1)
  if (task !== undefined) namespaces.link(task, call.callId)
  if (call.length === 0 && !call.hasInput) call.wholeInput = input
  return understood([...events, ...('call' in begun ? [begun.event] : []), ...inputEvents(call)])
}

const nameOf = ({ name }: RawEvent) => wordOf(name) ?? 'tool'

/** The run of a tool; without an id, its name stands for it. */
const runIdOf = (raw: RawEvent) => wordOf(raw.run_id) ?? nameOf(raw)

/** Of the open calls of this name: the one with this input, else the first. */
function waiting(run: Run, scope: GraphScope, name: string, input: Json): Call | undefined {
  const running = new Set(run.tools.values())
  const sameName = run.graph.calls.open(scope).filter((call) => call.name === name && !running.has(call))
  const text = JSON.stringify(input)
  return sameName.find((call) => JSON.stringify(parseObject(call.beginning) ?? call.wholeInput) === text) ?? sameName[0]
}

/** The streamed output of a tool. */
export function toolStream(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const call = run.tools.get(runIdOf(raw))
  const { chunk } = objectOf(raw.data)
  if (call === undefined || chunk === undefined) return unmapped(raw)
  const agent = present({ agentId: call.scope.agentId })
  const output =
    typeof chunk === 'string'
      ? ({ channel: 'text', text: chunk } as const)
      : ({ channel: 'data', data: chunk } as const)
  return [{ type: 'tool-progress', callId: call.callId, ...output, ...agent }]
}

export function toolEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  const { id, scope, events } = endedCall(run, raw)
  const message = readMessage(output) ?? toolMessageIn(output ?? null, id)
  if (message?.role !== 'tool')
    return understood([
      ...events,
      ...run.graph.calls.answer(scope, id, { status: 'ok', output: output ?? null, name: wordOf(raw.name) }),
    ])
  const toolCallId =
    run.graph.calls.find(scope, message.toolCallId) === undefined ? (id ?? message.toolCallId) : message.toolCallId
  return understood([...events, ...toolEvents(run.graph.calls, scope, { ...message, toolCallId })])
}

export function toolError(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { id, scope, events } = endedCall(run, raw)
  const { error } = objectOf(raw.data)
  const output = errorOf(error).message
  const name = wordOf(raw.name)
  const answer = { status: 'error', output, error: reasonOf(output), name } as const
  return understood([...events, ...run.graph.calls.answer(scope, id, answer)])
}

/** The error without its stack, which may follow after an empty line. */
function reasonOf(error: string): string {
  const stack = error.search(/\n\n\w*Error: /)
  return stack === -1 ? error : error.slice(0, stack)
}

/** The call whose run this ends. */
function endedCall(run: Run, raw: RawEvent) {
  const runId = runIdOf(raw)
  const call = run.tools.get(runId)
  const { place: origin, events } = originOf(run, raw, false)
  run.tools.delete(runId)
  const id = call === undefined ? (callIdOf(raw) ?? wordOf(raw.run_id)) : call.callId
  return { id, scope: call?.scope ?? origin.scope, events }
}

function callIdOf({ data, metadata }: RawEvent): string | undefined {
  const { tool_call_id, input } = objectOf(data)
  return wordOf(tool_call_id) ?? wordOf(objectOf(metadata).tool_call_id) ?? wordOf(objectOf(input).tool_call_id)
}

/** An input is an object, or JSON text, which may be wrapped in an object. */
function inputOf(input: Json | undefined): Json {
  if (typeof input === 'string') return parseObject(input) ?? input
  const wrapped = isJsonObject(input) && Object.keys(input).length === 1 ? (input as JsonObject).input : undefined
  return (typeof wrapped === 'string' ? parseObject(wrapped) : undefined) ?? input ?? {}
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Json) : undefined
  } catch {
    return undefined
  }
}
