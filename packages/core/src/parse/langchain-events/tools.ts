import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Call } from '../langchain/calls.ts'
import { errorOf } from '../langchain/graph.ts'
import { objectOf, readMessage, wordOf } from '../langchain/message.ts'
import { toolEvents, toolMessageIn } from '../langchain/others.ts'
import { inputEvents, type Scope } from '../langchain/told.ts'
import { understood, unmapped } from '../parser.ts'
import type { RawEvent } from './raw.ts'
import { placeOf, type Run } from './run.ts'

/** How many runs of tools are remembered that never ended. */
const MAX_RUNNING = 1024

/** A tool begins to run. Most versions do not say for which call: it is one of that name that does not run yet. */
export function toolStart(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { calls, namespaces } = run.graph
  const { place, events } = placeOf(run, raw, false)
  const { scope } = place
  const name = wordOf(raw.name) ?? 'tool'
  const runId = wordOf(raw.run_id) ?? name
  const input = inputOf(objectOf(raw.data).input)
  const known = calls.find(scope, callIdOf(raw)) ?? waiting(run, scope, name, input)
  const begun = known ?? calls.start({ scope }, { id: callIdOf(raw) ?? runId, name, index: undefined, runBy: 'agent' })
  const call = 'call' in begun ? begun.call : begun
  remember(run.tools, runId, call, MAX_RUNNING)
  const task = wordOf(objectOf(raw.metadata).langgraph_checkpoint_ns)?.split('|').at(-1)
  if (task !== undefined) namespaces.link(task, call.callId)
  if (call.length === 0 && !call.hasInput) call.given = input
  return understood([...events, ...('call' in begun ? [begun.event] : []), ...inputEvents(call)])
}

/** Of the calls of a name that wait, the one with this input, else the first. */
function waiting(run: Run, scope: Scope, name: string, input: Json): Call | undefined {
  const running = new Set(run.tools.values())
  const named = run.graph.calls.open(scope).filter((call) => call.name === name && !running.has(call))
  const text = JSON.stringify(input)
  return named.find((call) => JSON.stringify(parsed(call.beginning) ?? call.given) === text) ?? named[0]
}

/** What a tool that streams says on its way. */
export function toolStream(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const call = run.tools.get(wordOf(raw.run_id) ?? '')
  const { chunk } = objectOf(raw.data)
  if (call === undefined || chunk === undefined) return unmapped(raw)
  const agent = present({ agentId: call.scope.agentId })
  const said =
    typeof chunk === 'string'
      ? ({ channel: 'text', text: chunk } as const)
      : ({ channel: 'data', data: chunk } as const)
  return [{ type: 'tool-progress', callId: call.callId, ...said, ...agent }]
}

export function toolEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  const { id, scope, events } = ended(run, raw)
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
  const { id, scope, events } = ended(run, raw)
  const { error } = objectOf(raw.data)
  const output = errorOf(error).message
  const name = wordOf(raw.name)
  const answer = { status: 'error', output, error: reasonOf(output), name } as const
  return understood([...events, ...run.graph.calls.answer(scope, id, answer)])
}

/** An error may come with its stack, after an empty line. */
function reasonOf(error: string): string {
  const stack = error.search(/\n\n\w*Error: /)
  return stack === -1 ? error : error.slice(0, stack)
}

/** The call whose run this ends. */
function ended(run: Run, raw: RawEvent) {
  const runId = wordOf(raw.run_id) ?? ''
  const call = run.tools.get(runId)
  const { place, events } = placeOf(run, raw, false)
  run.tools.delete(runId)
  const id = call === undefined ? (callIdOf(raw) ?? wordOf(runId)) : call.callId
  return { id, scope: call?.scope ?? place.scope, events }
}

function callIdOf({ data, metadata }: RawEvent): string | undefined {
  const { tool_call_id, input } = objectOf(data)
  return wordOf(tool_call_id) ?? wordOf(objectOf(metadata).tool_call_id) ?? wordOf(objectOf(input).tool_call_id)
}

/** An input is an object, or wrapped in one as text. */
function inputOf(input: Json | undefined): Json {
  if (typeof input === 'string') return parsed(input) ?? input
  const wrapped = isJsonObject(input) && Object.keys(input).length === 1 ? (input as JsonObject).input : undefined
  return (typeof wrapped === 'string' ? parsed(wrapped) : undefined) ?? input ?? {}
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Json) : undefined
  } catch {
    return undefined
  }
}
