import type { Json, JsonObject } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import { byNames } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { type Call, completeInput, pushProgress } from '../langchain/calls.ts'
import { type GraphScope, MAIN } from '../langchain/emitted-message.ts'
import { errorOf, type Graph } from '../langchain/graph.ts'
import { ofObjects } from './items.ts'

interface ToolContext {
  readonly id: string | undefined
  readonly scope: GraphScope
  readonly call: Call | undefined
}

type Row = (out: Out, graph: Graph, data: JsonObject, context: ToolContext) => void

const started: Row = (out, { calls }, data, { id, scope, call: existing }) => {
  const name = textIn(data.tool_name) ?? textIn(data.name) ?? 'tool'
  const call = existing ?? calls.start(out, { scope }, { id, name })
  if (call.length === 0 && !call.hasInput) call.wholeInput = parsedInput(data.input)
  completeInput(out, call)
}

const outputDelta: Row = (out, _graph, data, { id, scope, call }) => {
  const callId = call?.callId ?? id
  if (callId === undefined || call?.isAnswered) keepRaw(out, data)
  else pushProgress(out, callId, data.delta ?? data.data ?? null, scope)
}

const finished: Row = (out, { calls }, { output }, { id, scope }) =>
  calls.answerWithValue(out, scope, id, output ?? null)

const failed: Row = (out, { calls }, data, { id, scope }) =>
  void calls.answer(out, scope, id, { status: 'error', output: errorOf(data.message ?? data.error).message })

/** Under the names of the protocol, and under those of the stream mode. */
const rows = byNames<Row>([
  [started, 'tool-started on_tool_start'],
  [outputDelta, 'tool-output-delta on_tool_event'],
  [finished, 'tool-finished on_tool_end'],
  [failed, 'tool-error on_tool_error'],
])

/** An event of a call while it runs. */
export const tools = ofObjects((out, graph, data, { namespace }) => {
  const row = rows.get(String(data.event))
  if (row === undefined) return keepRaw(out, data)
  const id = textIn(data.tool_call_id) ?? textIn(data.toolCallId) ?? textIn(data.id)
  const scope = scopeOfCall(graph, namespace, id)
  row(out, graph, data, { id, scope, call: graph.calls.find(scope, id) })
})

/** The scope of a call: that of the graph whose task runs it. The namespace may name the task or the graph. */
function scopeOfCall({ namespaces, calls }: Graph, namespace: readonly string[], id: string | undefined): GraphScope {
  const around = namespaces.scopeOf(namespace.slice(0, -1))
  const scopes = [around, namespaces.scopeOf(namespace)]
  return scopes.find((scope) => scope !== undefined && calls.find(scope, id) !== undefined) ?? around ?? MAIN
}

/** An input may also be JSON text. */
function parsedInput(input: Json | undefined): Json {
  if (typeof input !== 'string') return input ?? {}
  try {
    return JSON.parse(input) as Json
  } catch {
    return input
  }
}
