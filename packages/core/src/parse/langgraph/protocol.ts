import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { metadataEvents } from '../langchain/details.ts'
import type { EmittedMessage } from '../langchain/emitted-message.ts'
import { errorOf, type Graph } from '../langchain/graph.ts'
import { objectOf, wordOf } from '../langchain/message.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import type { Item } from './items.ts'
import { askEvents, modes } from './modes.ts'
import { blockDelta, blockFinish, blockStart, finishMessage } from './protocol-blocks.ts'

/** A message of the protocol that is being streamed: a tool's message is the output of its call. */
export type Streamed =
  | { readonly kind: 'message'; readonly state: EmittedMessage }
  | { readonly kind: 'output'; readonly callId: string; readonly namespace: readonly string[]; text: string }

/** The protocol has its own events; it reports the state as the stream modes do. */
export interface Protocol {
  events(item: Item): readonly StreamEvent[]
}

/** The maximum number of unfinished messages that are remembered. */
const MAX_BEGUN = 1024

const roles: { readonly [role: string]: Role | undefined } = { human: 'user', user: 'user', system: 'system' }

export function createProtocol(graph: Graph): Protocol {
  const streamed = new Map<string, Streamed>()

  function start(data: JsonObject, key: string, item: Item): readonly StreamEvent[] {
    const id = wordOf(data.id)
    const callId = wordOf(data.tool_call_id)
    const { namespace } = item
    if (data.role === 'tool' && callId !== undefined) {
      remember(streamed, key, { kind: 'output', callId, namespace, text: '' }, MAX_BEGUN)
      return SILENT
    }
    const metadata = objectOf(data.metadata)
    const agentName = wordOf(metadata.lc_agent_name)
    const { scope, events } = graph.namespaces.enter(graphNamespace(item), { agentName })
    const opening = { model: wordOf(metadata.model) ?? wordOf(metadata.ls_model_name), node: nodeOf(item) }
    const role = roles[String(data.role)] ?? 'assistant'
    const begun = graph.emitter.begin(id, role, { scope, opening, task: key })
    remember(streamed, key, { kind: 'message', state: begun.emitted }, MAX_BEGUN)
    return understood([
      ...events,
      ...begun.events,
      ...finishMessage(graph, begun.emitted, { usage: data.usage ?? null }),
    ])
  }

  function messageEvents(item: Item): readonly StreamEvent[] {
    const { data } = item
    if (!isJsonObject(data)) return unmapped(data)
    const key = wordOf(data.run_id) ?? item.namespace.join('|')
    if (data.event === 'message-start') return start(data, key, item)
    const message = streamed.get(key)
    const row = messageRows.get(String(data.event))
    if (row === undefined || message === undefined)
      return data.event === 'error' ? failure(data.message) : unmapped(data)
    if (data.event === 'message-finish') streamed.delete(key)
    return message.kind === 'message' ? row(graph, message.state, data) : outputEvents(graph, message, data)
  }

  const methods: ReadonlyMap<string, (item: Item) => readonly StreamEvent[]> = new Map([
    ['messages', messageEvents],
    ['lifecycle', (item) => lifecycle(graph, item)],
    ['input.requested', (item) => askEvents(graph, [item.data], graphNamespace(item))],
  ])

  return {
    events(item) {
      const row = methods.get(item.mode)
      if (row !== undefined) return row(item)
      const mode = modes.get(item.mode.startsWith('custom:') ? 'custom' : item.mode)
      return mode === undefined ? unmapped({ method: item.mode, data: item.data }) : mode(graph, item)
    },
  }
}

type Row = (graph: Graph, message: EmittedMessage, data: JsonObject) => readonly StreamEvent[]

const messageRows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['content-block-start', blockStart],
  ['content-block-delta', blockDelta],
  ['content-block-finish', blockFinish],
  [
    'usage',
    (graph, message, data) =>
      isJsonObject(data.usage) ? understood(finishMessage(graph, message, data)) : unmapped(data),
  ],
  [
    'message-finish',
    (graph, message, data) => understood([...finishMessage(graph, message, data), ...graph.emitter.end(message)]),
  ],
  ['provider', (_graph, message, { event: _event, ...provider }) => metadataEvents(message, { provider })],
  ['error', (_graph, _message, data) => failure(data.message)],
])

function failure(message: Json | undefined): StreamEvent[] {
  return [{ type: 'error', ...errorOf(message) }]
}

type HeldOutput = Extract<Streamed, { kind: 'output' }>

/** The output of a call, joined from the blocks of its message. */
function outputEvents(graph: Graph, output: HeldOutput, data: JsonObject): readonly StreamEvent[] {
  if (data.event === 'content-block-delta') {
    const { text } = objectOf(data.delta)
    if (typeof text !== 'string') return unmapped(data)
    output.text += text
  }
  if (data.event === 'content-block-finish') {
    if (!isJsonObject(data.content) || typeof (data.content.text ?? '') !== 'string') return unmapped(data)
    output.text = wordOf(data.content.text) ?? output.text
  }
  if (data.event !== 'message-finish') return SILENT
  const { callId, text, namespace } = output
  const scope = graph.namespaces.scopeOf(namespace.slice(0, -1))
  if (scope === undefined) return unmapped({ tool_call_id: callId, content: text })
  return understood(graph.calls.answer(scope, callId, { status: 'ok', output: text }))
}

/**
 * The namespace of the graph that a message belongs to: without the node itself, which some servers add. A node of
 * tools sends no messages: those come from a graph inside it.
 */
function graphNamespace({ namespace, node }: Item): readonly string[] {
  const last = namespace.at(-1)
  if (last === undefined) return namespace
  const isNode = node === undefined ? !last.startsWith('tools:') : last.startsWith(`${node}:`)
  return isNode ? namespace.slice(0, -1) : namespace
}

function nodeOf({ namespace, node }: Item): string | undefined {
  return node ?? namespace.at(-1)?.replace(/:[^:]*$/, '')
}

/** A graph inside another is shown with its first message. */
const UNDER_WAY: ReadonlySet<string> = new Set(['started', 'running'])

const endings = { completed: 'done', failed: 'failed', interrupted: 'interrupted' } as const

/** The lifecycle of a graph. That of the main graph is the run's; an inner graph may name the call that it runs for. */
function lifecycle(graph: Graph, { data, namespace }: Item): readonly StreamEvent[] {
  if (!isJsonObject(data)) return unmapped(data)
  const event = String(data.event)
  const agent = wordOf(data.graph_name)
  const ending = Object.hasOwn(endings, event) ? (event as keyof typeof endings) : undefined
  if (namespace.length === 0) {
    graph.ending = ending ?? 'running'
    if (ending === 'failed') return [{ type: 'run-end', outcome: 'error', error: errorOf(data.error) }]
    return ending === undefined ? [{ type: 'run-start', ...present({ agent }) }] : SILENT
  }
  const cause = objectOf(data.cause)
  const callId = wordOf(cause.tool_call_id) ?? wordOf(cause.toolCallId)
  if (callId !== undefined) graph.namespaces.link(namespace.at(-1) ?? '', callId, agent)
  if (callId !== undefined && event === 'started')
    return understood(graph.namespaces.enter(namespace, { agentName: agent }).events)
  if (ending === undefined) return UNDER_WAY.has(event) ? SILENT : unmapped(data)
  const error = ending === 'failed' && data.error !== undefined ? failure(data.error) : []
  return understood([...error, ...graph.namespaces.leave(namespace, endings[ending])])
}
