import { remember } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { type Call, completeInput, pushProgress } from '../langchain/calls.ts'
import type { GraphScope } from '../langchain/emitted-message.ts'
import { errorOf } from '../langchain/graph.ts'
import type { RawEvent, Row, Run } from './run.ts'

/** How many tool runs without an end are remembered. */
const MAX_RUNNING = 1024

/** A tool starts. Most versions do not name its call, which is one of the same name that is not running yet. */
export const toolStart: Row = (out, run, raw, data) => {
  const { calls, namespaces } = run.graph
  const entered = run.enter(out, raw, false)
  const scope = run.scopeInTool(raw) ?? entered
  const name = nameOf(raw)
  const runId = runIdOf(raw)
  const input = inputIn(data.input)
  const id = callIdOf(raw)
  const existing = calls.find(scope, id) ?? waiting(run, scope, name, input)
  const call = existing ?? calls.start(out, scope, { id: id ?? runId, name })
  remember(run.tools, runId, call, MAX_RUNNING)
  const task = textIn(objectIn(raw.metadata).langgraph_checkpoint_ns)?.split('|').at(-1)
  if (task !== undefined) namespaces.link(task, call.callId)
  if (call.length === 0 && !call.hasInput) call.wholeInput = input
  completeInput(out, call)
}

const nameOf = ({ name }: RawEvent) => textIn(name) ?? 'tool'

/** The run of a tool; without an id, its name stands for it. */
const runIdOf = (raw: RawEvent) => textIn(raw.run_id) ?? nameOf(raw)

/** Of the open calls of this name: the one with this input, else the first. */
function waiting(run: Run, scope: GraphScope, name: string, input: Json): Call | undefined {
  const running = new Set(run.tools.values())
  const sameName = run.graph.calls.open(scope).filter((call) => call.name === name && !running.has(call))
  const text = JSON.stringify(input)
  return sameName.find((call) => JSON.stringify(parsed(call.beginning) ?? call.wholeInput) === text) ?? sameName[0]
}

/** The streamed output of a tool. */
export const toolStream: Row = (out, run, raw, { chunk }) => {
  const call = run.tools.get(runIdOf(raw))
  if (call === undefined || chunk === undefined) keepRaw(out, raw)
  else pushProgress(out, call.callId, chunk, call.scope)
}

export const toolEnd: Row = (out, run, raw, { output }) => {
  const { id, scope } = endCall(out, run, raw)
  run.graph.calls.answerWithValue(out, scope, id, output ?? null, textIn(raw.name))
}

export const toolError: Row = (out, run, raw, data) => {
  const { id, scope } = endCall(out, run, raw)
  const output = errorOf(data.error).message
  // A stack may follow after an empty line.
  const [error] = output.split(/\n\n\w*Error: /, 1)
  run.graph.calls.answer(out, scope, id, { isError: true, output, error, name: textIn(raw.name) })
}

/** The call whose run this ends. */
function endCall(out: Out, run: Run, raw: RawEvent): { readonly id: string | undefined; readonly scope: GraphScope } {
  const runId = runIdOf(raw)
  const call = run.tools.get(runId)
  const entered = run.enter(out, raw, false)
  run.tools.delete(runId)
  return { id: call?.callId ?? callIdOf(raw) ?? textIn(raw.run_id), scope: call?.scope ?? entered }
}

function callIdOf({ data, metadata }: RawEvent): string | undefined {
  const { tool_call_id, input } = objectIn(data)
  return textIn(tool_call_id) ?? textIn(objectIn(metadata).tool_call_id) ?? textIn(objectIn(input).tool_call_id)
}

/** An input is an object, or JSON text, which may be wrapped in an object. */
function inputIn(input: Json | undefined): Json {
  const wrapped = isJsonObject(input) && Object.keys(input).length === 1 ? input.input : input
  return parsed(wrapped) ?? input ?? {}
}

/** The object of a JSON text. */
function parsed(text: Json | undefined): Json | undefined {
  const input = typeof text === 'string' && text !== '' ? inputOf(text).input : undefined
  return typeof input === 'object' ? input : undefined
}
