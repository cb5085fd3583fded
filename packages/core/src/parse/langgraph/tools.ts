import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Call } from '../langchain/calls.ts'
import { type GraphScope, inputEvents, MAIN } from '../langchain/emitted-message.ts'
import { errorOf, type Graph } from '../langchain/graph.ts'
import { readMessage, wordOf } from '../langchain/message.ts'
import { toolEvents, toolMessageIn } from '../langchain/others.ts'
import { understood, unmapped } from '../parser.ts'
import type { Item } from './items.ts'

interface ToolContext {
  readonly id: string | undefined
  readonly scope: GraphScope
  readonly call: Call | undefined
}

type Row = (graph: Graph, data: JsonObject, at: ToolContext) => StreamEvent[]

const started: Row = (graph, data, { id, scope, call: existing }) => {
  const name = wordOf(data.tool_name) ?? wordOf(data.name) ?? 'tool'
  const begun =
    existing === undefined ? graph.calls.start({ scope }, { id, name, index: undefined, runBy: 'agent' }) : undefined
  const call = begun?.call ?? existing
  if (call === undefined || call.hasInput) return []
  if (call.length === 0) call.wholeInput = parseInput(data.input)
  return [...(begun === undefined ? [] : [begun.event]), ...inputEvents(call)]
}

const outputDelta: Row = (_graph, data, { id, scope, call }) => {
  const callId = call?.callId ?? id
  const more = data.delta ?? data.data ?? null
  if (callId === undefined || call?.isAnswered) return unmapped(data)
  const agent = present({ agentId: scope.agentId })
  const content =
    typeof more === 'string' ? ({ channel: 'text', text: more } as const) : ({ channel: 'data', data: more } as const)
  return [{ type: 'tool-progress', callId, ...content, ...agent }]
}

const finished: Row = (graph, data, { id, scope }) => {
  const output = data.output ?? null
  const message = readMessage(output) ?? toolMessageIn(output, id)
  if (message?.role === 'tool')
    return toolEvents(graph.calls, scope, { ...message, toolCallId: message.toolCallId ?? id })
  return graph.calls.answer(scope, id, { status: 'ok', output })
}

const failed: Row = (graph, data, { id, scope }) =>
  graph.calls.answer(scope, id, { status: 'error', output: errorOf(data.message ?? data.error).message })

/** Under the names of the protocol, and under those of the stream mode. */
const rows: ReadonlyMap<string, Row> = new Map([
  ['tool-started', started],
  ['tool-output-delta', outputDelta],
  ['tool-finished', finished],
  ['tool-error', failed],
  ['on_tool_start', started],
  ['on_tool_event', outputDelta],
  ['on_tool_end', finished],
  ['on_tool_error', failed],
])

/** The events of a call while it runs. */
export function toolEvent(graph: Graph, { data, namespace }: Item): readonly StreamEvent[] {
  const row = isJsonObject(data) ? rows.get(String(data.event)) : undefined
  if (!isJsonObject(data) || row === undefined) return unmapped(data)
  const id = wordOf(data.tool_call_id) ?? wordOf(data.toolCallId) ?? wordOf(data.id)
  const scope = scopeOfCall(graph, namespace, id)
  return understood(row(graph, data, { id, scope, call: graph.calls.find(scope, id) }))
}

/** The scope of a call: that of the graph whose task runs it. The namespace may name the task or the graph. */
function scopeOfCall(graph: Graph, namespace: readonly string[], id: string | undefined): GraphScope {
  for (const around of [namespace.slice(0, -1), namespace]) {
    const scope = graph.namespaces.scopeOf(around)
    if (scope !== undefined && graph.calls.find(scope, id) !== undefined) return scope
  }
  return graph.namespaces.scopeOf(namespace.slice(0, -1)) ?? MAIN
}

/** An input may also be JSON text. */
function parseInput(input: Json | undefined): Json {
  if (typeof input !== 'string') return input ?? {}
  try {
    return JSON.parse(input) as Json
  } catch {
    return input
  }
}
