import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { MAIN } from '../langchain/emitted-message.ts'
import { errorOf, type Graph } from '../langchain/graph.ts'
import { type LangMessage, objectOf, readMessage, wordOf } from '../langchain/message.ts'
import type { MessageOrigin } from '../langchain/message-emitter.ts'
import { graphOf } from '../langchain/namespaces.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import type { Item } from './items.ts'
import { toolEvent } from './tools.ts'

type Mode = (graph: Graph, item: Item) => readonly StreamEvent[]

/** One row per stream mode and per event of a LangGraph server. */
export const modes: ReadonlyMap<string, Mode> = new Map(
  Object.entries({
    values: (graph, { data, namespace }) =>
      isJsonObject(data) ? understood(stateEvents(graph, data, namespace)) : unmapped(data),
    updates: updatesEvents,
    messages: tupleEvents,
    'messages-tuple': tupleEvents,
    'messages/partial': (graph, item) => listEvents(graph, item, 'soFar'),
    'messages/complete': (graph, item) => listEvents(graph, item, 'whole'),
    'messages/metadata': (_graph, { data }) => [{ type: 'metadata', metadata: { messages: data } }],
    custom: (graph, { data, namespace, mode }) => {
      const agent = present({ agentId: graph.namespaces.nearestAgent(namespace) })
      if (typeof data === 'string') return [{ type: 'status', message: data, level: 'info', ...agent }]
      return [{ type: 'data', name: mode.replace(/^custom:/, ''), data, ...agent }]
    },
    tools: toolEvent,
    tasks: taskEvents,
    checkpoints: checkpointEvents,
    debug: debugEvents,
    metadata: (_graph, { data }) => [{ type: 'run-start' }, { type: 'metadata', metadata: objectOf(data) }],
    feedback: (_graph, { data }) => [{ type: 'metadata', metadata: { feedback: data } }],
    error(graph, { data }) {
      graph.ending = 'failed'
      return [{ type: 'run-end', outcome: 'error', error: errorOf(data) }]
    },
    end: () => SILENT,
  } satisfies { readonly [mode: string]: Mode }),
)

/** The whole state: its messages become messages, its interrupts become approvals, and the rest is state. */
function stateEvents(graph: Graph, state: JsonObject, namespace: readonly string[]): StreamEvent[] {
  const { messages, __interrupt__, ...rest } = state
  const { scope, events, isRead } = readStateMessages(graph, messages, namespace)
  const channel = namespace.length === 0 ? 'values' : `values|${namespace.join('|')}`
  return [
    ...events,
    ...graph.todos.set(rest.todos, scope),
    ...graph.states.set(channel, isRead ? rest : present({ messages, ...rest })),
    ...graph.interrupts.ask(__interrupt__, scope),
  ]
}

/** The messages of a state or an update, one or many. A graph is entered only if there are any. */
function readStateMessages(graph: Graph, value: Json | undefined, namespace: readonly string[]) {
  const list = (Array.isArray(value) ? value : [value]).map(readMessage)
  const messages = list.filter((message) => message !== undefined)
  const isRead = messages.length === list.length || (Array.isArray(value) && value.length === 0)
  const entered = messages.length === 0 ? undefined : graph.namespaces.enter(namespace, hintsOf(messages))
  const { scope, events } = entered ?? { scope: graph.namespaces.scopeOf(namespace) ?? MAIN, events: [] }
  const context: MessageOrigin = { scope, opening: {} }
  const messageEvents = messages.flatMap((message) => graph.emitter.whole(message, context))
  return { scope, isRead, events: [...events, ...messageEvents] }
}

function hintsOf(messages: readonly LangMessage[]) {
  const [first] = messages
  const agentName = messages.find(
    ({ role, name }) => role === 'assistant' && name !== undefined && name !== 'model',
  )?.name
  const task = first?.role === 'user' && typeof first.content === 'string' ? first.content : undefined
  return { agentName, task }
}

/** The changes of each node. */
function updatesEvents(graph: Graph, { data, namespace, node }: Item): readonly StreamEvent[] {
  if (!isJsonObject(data)) return unmapped(data)
  // The protocol names the node beside the update.
  const updates = node === undefined ? data : { [node]: data.values ?? data }
  const { __interrupt__, __metadata__: _cached, ...nodes } = updates
  return understood([
    ...Object.entries(nodes).flatMap(([name, update]) => updateEvents(graph, name, update, namespace)),
    ...askEvents(graph, __interrupt__, namespace),
  ])
}

function updateEvents(graph: Graph, node: string, update: Json, namespace: readonly string[]): StreamEvent[] {
  const ends = graph.namespaces.leaveNode(namespace, node)
  if (Array.isArray(update)) return [...update.flatMap((one) => updateEvents(graph, node, one, namespace)), ...ends]
  if (!isJsonObject(update)) {
    return update === null ? ends : [...graph.states.write(channelOf(node, namespace), { value: update }), ...ends]
  }
  const { messages, ...rest } = isJsonObject(update.update) ? update.update : update
  const { events, isRead, scope } = readStateMessages(graph, messages, namespace)
  return [
    ...events,
    ...graph.todos.set(rest.todos, scope),
    ...graph.states.write(channelOf(node, namespace), isRead ? rest : present({ messages, ...rest })),
    ...ends,
  ]
}

const channelOf = (node: string, namespace: readonly string[]) => ['updates', ...namespace, node].join('|')

/** `[chunk, metadata]`. The namespace of its task is that of its graph plus the node. */
function tupleEvents(graph: Graph, { data, namespace }: Item): readonly StreamEvent[] {
  const [value, rawMetadata] = Array.isArray(data) ? data : [data]
  const message = readMessage(value)
  if (message === undefined) return unmapped(data)
  const metadata = objectOf(rawMetadata)
  const task = wordOf(metadata.langgraph_checkpoint_ns) ?? wordOf(metadata.checkpoint_ns)
  const around = task === undefined ? namespace : graphOf(task, message.role === 'assistant')
  const agentName = wordOf(metadata.lc_agent_name)
  const { scope, events } = graph.namespaces.enter(around, { agentName })
  const context: MessageOrigin = {
    scope,
    task,
    metadata,
    opening: {
      model: wordOf(metadata.ls_model_name),
      node: wordOf(metadata.langgraph_node),
      step: typeof metadata.langgraph_step === 'number' ? metadata.langgraph_step : undefined,
    },
  }
  const { emitter } = graph
  return understood([
    ...events,
    ...(message.isChunk ? emitter.chunk(message, context) : emitter.whole(message, context)),
  ])
}

/** The legacy mode of a server: lists of messages, each repeated from its beginning. */
function listEvents(graph: Graph, { data, namespace }: Item, how: 'soFar' | 'whole'): readonly StreamEvent[] {
  const messages = (Array.isArray(data) ? data : [data]).map(readMessage)
  if (messages.some((message) => message === undefined)) return unmapped(data)
  const { scope, events } = graph.namespaces.enter(namespace, {})
  const context: MessageOrigin = { scope, opening: {} }
  return understood([
    ...events,
    ...messages.flatMap((message) => (message ? graph.emitter[how](message, context) : [])),
  ])
}

/** The start of a task names its call; the end of a task holds its changes, its interrupts or its error. */
function taskEvents(graph: Graph, { data, namespace }: Item): readonly StreamEvent[] {
  if (!isJsonObject(data)) return unmapped(data)
  const { id, name, input, result, error, interrupts, ...rest } = data
  const callId = callIdOf(input)
  if (typeof id === 'string' && callId !== undefined) graph.namespaces.link(id, callId)
  const taskInput = input === undefined ? undefined : withoutMessages(input)
  const task = present({ id, name, input: taskInput, ...rest }) as JsonObject
  return [
    ...(isJsonObject(input)
      ? readStateMessages(graph, objectOf(input.state).messages ?? input.messages, namespace).events
      : []),
    { type: 'state', channel: 'task', op: 'snapshot', value: task },
    ...(result === undefined || result === null
      ? []
      : updateEvents(graph, String(name), objectOfPairs(result), namespace)),
    ...(error === undefined || error === null ? [] : [{ type: 'error' as const, ...errorOf(error) }]),
    ...askEvents(graph, interrupts, namespace),
  ]
}

/** The questions of a graph, which is entered only if there are any. */
export function askEvents(
  graph: Graph,
  interrupts: Json | undefined,
  namespace: readonly string[],
): readonly StreamEvent[] {
  const hasQuestions = Array.isArray(interrupts) && interrupts.length > 0
  const { scope, events } = graph.namespaces.enter(hasQuestions ? namespace : [], {})
  return understood([...events, ...graph.interrupts.ask(interrupts, scope)])
}

/** Results are objects, or pairs of a field and its value. */
function objectOfPairs(result: Json): Json {
  if (!Array.isArray(result)) return result
  const isPair = (one: Json): one is readonly [string, Json] => Array.isArray(one) && typeof one[0] === 'string'
  return result.length > 0 && result.every(isPair) ? Object.fromEntries(result) : result
}

function callIdOf(input: Json | undefined): string | undefined {
  const first = Array.isArray(input) ? input[0] : input
  if (!isJsonObject(first)) return undefined
  const call = first.tool_call ?? first.lg_tool_call ?? first
  return isJsonObject(call) && typeof call.name === 'string' ? wordOf(call.id) : undefined
}

/** An input is the state that a task receives: its messages are read as messages. */
function withoutMessages(value: Json): Json {
  if (!isJsonObject(value)) return value
  const { messages: _messages, state, ...rest } = value
  return state === undefined ? rest : { ...rest, state: withoutMessages(state) }
}

function checkpointEvents(graph: Graph, { data, namespace }: Item): readonly StreamEvent[] {
  if (!isJsonObject(data)) return unmapped(data)
  const { values, ...rest } = data
  const state = isJsonObject(values) ? stateEvents(graph, values, namespace) : []
  return [...state, { type: 'state', channel: 'checkpoint', op: 'snapshot', value: rest }]
}

/** Debug output is checkpoints and tasks in an envelope. */
function debugEvents(graph: Graph, item: Item): readonly StreamEvent[] {
  if (!isJsonObject(item.data)) return unmapped(item.data)
  const { type, payload } = item.data
  if (payload === undefined) return unmapped(item.data)
  const inner = { ...item, data: payload }
  return type === 'checkpoint' ? checkpointEvents(graph, inner) : taskEvents(graph, inner)
}
