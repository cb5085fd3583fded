import { present } from '../../data/present.ts'
import { inputOf } from '../../data/tool-input.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import { byNames } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { type Call, completeInput, pushProgress } from '../langchain/calls.ts'
import { type GraphScope, MAIN } from '../langchain/emitted-message.ts'
import { errorOf, type Graph, graphOf, originIn, taskOf } from '../langchain/graph.ts'
import { type LangMessage, readMessage } from '../langchain/message.ts'
import { type Mode, ofObjects } from './items.ts'

/** The start of a task names its call; the end of a task holds its changes, its interrupts or its error. */
const tasks = ofObjects((out, graph, data, { namespace }) => {
  const { id, name, input, result, error, interrupts, ...rest } = data
  const callId = callIdOf(input)
  if (typeof id === 'string' && callId !== undefined) graph.namespaces.link(id, callId)
  const taskInput = input === undefined ? undefined : withoutMessages(input)
  if (isJsonObject(input)) pushMessages(out, graph, objectIn(input.state).messages ?? input.messages, namespace)
  const task = present({ id, name, input: taskInput, ...rest }) as JsonObject
  out.push({ type: 'state', channel: 'task', op: 'snapshot', value: task })
  if (result !== undefined && result !== null) pushUpdate(out, graph, String(name), objectOfPairs(result), namespace)
  if (error !== undefined && error !== null) out.push({ type: 'error', ...errorOf(error) })
  ask(out, graph, interrupts, namespace)
})

const checkpoints = ofObjects((out, graph, { values, ...rest }, { namespace }) => {
  if (isJsonObject(values)) pushState(out, graph, values, namespace)
  out.push({ type: 'state', channel: 'checkpoint', op: 'snapshot', value: rest })
})

/** `[chunk, metadata]`. The namespace of its task is that of its graph plus the node. */
const tuple: Mode = (out, graph, { data, namespace }) => {
  const [value, rawMetadata] = Array.isArray(data) ? data : [data]
  const message = readMessage(value)
  if (message === undefined) return keepRaw(out, data)
  const metadata = objectIn(rawMetadata)
  const task = taskOf(metadata)
  const around = task === undefined ? namespace : graphOf(task, message.role === 'assistant')
  const scope = graph.namespaces.enter(out, around, { agentName: textIn(metadata.lc_agent_name) })
  const isChunk = message.isChunk || message.hasChunks
  graph.emitter[isChunk ? 'chunk' : 'whole'](out, message, { scope, task, ...originIn(metadata) })
}

/** The legacy mode of a server: lists of messages, each repeated from its beginning. */
const list =
  (how: 'soFar' | 'whole'): Mode =>
  (out, graph, { data, namespace }) => {
    const messages = (Array.isArray(data) ? data : [data]).map(readMessage)
    if (!messages.every((message) => message !== undefined)) return keepRaw(out, data)
    const scope = graph.namespaces.enter(out, namespace, {})
    for (const message of messages) graph.emitter[how](out, message, { scope })
  }

interface ToolContext {
  readonly id: string | undefined
  readonly scope: GraphScope
  readonly call: Call | undefined
}

type Row = (out: Out, graph: Graph, data: JsonObject, context: ToolContext) => void

const started: Row = (out, { calls }, data, { id, scope, call: existing }) => {
  const name = textIn(data.tool_name) ?? textIn(data.name) ?? 'tool'
  const call = existing ?? calls.start(out, scope, { id, name })
  const { input } = data
  // An input may also be JSON text.
  const parsed = typeof input === 'string' ? inputOf(input).input : undefined
  if (call.length === 0 && !call.hasInput) call.wholeInput = parsed ?? input ?? {}
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
  void calls.answer(out, scope, id, { isError: true, output: errorOf(data.message ?? data.error).message })

/** Under the names of the protocol, and under those of the stream mode. */
const toolRows = byNames<Row>([
  [started, 'tool-started on_tool_start'],
  [outputDelta, 'tool-output-delta on_tool_event'],
  [finished, 'tool-finished on_tool_end'],
  [failed, 'tool-error on_tool_error'],
])

/** An event of a call while it runs. */
const tools = ofObjects((out, graph, data, { namespace }) => {
  const row = toolRows.get(String(data.event))
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

const rows: { readonly [mode: string]: Mode } = {
  values: ofObjects((out, graph, data, { namespace }) => pushState(out, graph, data, namespace)),
  updates: ofObjects((out, graph, data, { namespace, node }) => {
    // The protocol names the node beside the update.
    const updates = node === undefined ? data : { [node]: data.values ?? data }
    const { __interrupt__, __metadata__: _cached, ...nodes } = updates
    for (const [name, update] of Object.entries(nodes)) pushUpdate(out, graph, name, update, namespace)
    ask(out, graph, __interrupt__, namespace)
  }),
  messages: tuple,
  'messages-tuple': tuple,
  'messages/partial': list('soFar'),
  'messages/complete': list('whole'),
  'messages/metadata': (out, _graph, { data }) => out.push({ type: 'metadata', metadata: { messages: data } }),
  custom(out, graph, { data, namespace, mode }) {
    const { agent } = graph.namespaces.nearestScope(namespace)
    if (typeof data === 'string') out.push({ type: 'status', message: data, level: 'info', ...agent })
    else out.push({ type: 'data', name: mode.replace(/^custom:/, ''), data, ...agent })
  },
  tools,
  tasks,
  checkpoints,
  // Debug output is checkpoints and tasks in an envelope.
  debug: ofObjects((out, graph, { type, payload }, item) => {
    if (payload === undefined) keepRaw(out, item.data)
    else (type === 'checkpoint' ? checkpoints : tasks)(out, graph, { ...item, data: payload })
  }),
  metadata: (out, _graph, { data }) => out.push({ type: 'run-start' }, { type: 'metadata', metadata: objectIn(data) }),
  feedback: (out, _graph, { data }) => out.push({ type: 'metadata', metadata: { feedback: data } }),
  error(out, graph, { data }) {
    graph.ending = 'failed'
    out.push({ type: 'run-end', outcome: 'error', error: errorOf(data) })
  },
  end: () => undefined,
}

/** One row per stream mode and per event of a LangGraph server. */
export const modes: ReadonlyMap<string, Mode> = new Map(Object.entries(rows))

type Namespace = readonly string[]

/** The whole state: its messages become messages, its interrupts become approvals, and the rest is state. */
function pushState(out: Out, graph: Graph, state: JsonObject, namespace: Namespace): void {
  const { messages, __interrupt__, ...rest } = state
  const { scope, isRead } = pushMessages(out, graph, messages, namespace)
  graph.states.setTodos(out, rest.todos, scope)
  graph.states.set(out, ['values', ...namespace].join('|'), isRead ? rest : present({ messages, ...rest }))
  graph.interrupts.ask(out, __interrupt__, scope)
}

/** The changes of a node. */
function pushUpdate(out: Out, graph: Graph, node: string, update: Json, namespace: Namespace): void {
  const channel = ['updates', ...namespace, node].join('|')
  if (Array.isArray(update)) for (const one of update) pushUpdate(out, graph, node, one, namespace)
  else if (isJsonObject(update)) {
    const { messages, ...rest } = isJsonObject(update.update) ? update.update : update
    const { isRead, scope } = pushMessages(out, graph, messages, namespace)
    graph.states.setTodos(out, rest.todos, scope)
    graph.states.write(out, channel, isRead ? rest : present({ messages, ...rest }))
  } else if (update !== null) graph.states.write(out, channel, { value: update })
  graph.namespaces.leaveNode(out, namespace, node)
}

/** The messages of a state or an update, one or many. A graph is entered only if there are any. */
function pushMessages(
  out: Out,
  graph: Graph,
  value: Json | undefined,
  namespace: Namespace,
): { readonly scope: GraphScope; readonly isRead: boolean } {
  const read = (Array.isArray(value) ? value : [value]).map(readMessage)
  const messages = read.filter((message) => message !== undefined)
  const isRead = messages.length === read.length
  if (messages.length === 0) return { scope: graph.namespaces.scopeOf(namespace) ?? MAIN, isRead }
  const scope = graph.namespaces.enter(out, namespace, hintsOf(messages))
  for (const message of messages) graph.emitter.whole(out, message, { scope })
  return { scope, isRead }
}

function hintsOf(messages: readonly LangMessage[]) {
  const [first] = messages
  const named = messages.find(({ role, name }) => role === 'assistant' && name !== undefined && name !== 'model')
  const task = first?.role === 'user' && typeof first.content === 'string' ? first.content : undefined
  return { agentName: named?.name, task }
}

/** The questions of a graph, which is entered only if there are any. */
export function ask(out: Out, graph: Graph, interrupts: Json | undefined, namespace: Namespace): void {
  const hasQuestions = Array.isArray(interrupts) && interrupts.length > 0
  graph.interrupts.ask(out, interrupts, graph.namespaces.enter(out, hasQuestions ? namespace : [], {}))
}

/** Results are objects, or pairs of a field and its value. */
function objectOfPairs(result: Json): Json {
  if (!Array.isArray(result)) return result
  const isPair = (one: Json): one is readonly [string, Json] => Array.isArray(one) && typeof one[0] === 'string'
  return result.length > 0 && result.every(isPair) ? Object.fromEntries(result) : result
}

function callIdOf(input: Json | undefined): string | undefined {
  const first = objectIn(Array.isArray(input) ? input[0] : input)
  const { name, id } = objectIn(first.tool_call ?? first.lg_tool_call ?? first)
  return typeof name === 'string' ? textIn(id) : undefined
}

/** An input is the state that a task receives: its messages are read as messages. */
function withoutMessages(value: Json): Json {
  if (!isJsonObject(value)) return value
  const { messages: _messages, state, ...rest } = value
  return state === undefined ? rest : { ...rest, state: withoutMessages(state) }
}
