import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Role } from '../../event-fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { keepRaw, metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { completeInput } from '../langchain/calls.ts'
import { isProse } from '../langchain/content.ts'
import { indexOf, partsOfBlock } from '../langchain/content-parts.ts'
import { addUsage, closeBlock, type EmittedMessage } from '../langchain/emitted-message.ts'
import { errorOf, type Graph } from '../langchain/graph.ts'
import { addProse, settleProse } from '../langchain/prose.ts'
import { type Item, type Mode, ofObjects } from './items.ts'
import { ask, modes } from './modes.ts'

/** A tool's message, which is the output of its call. Its text is joined from its blocks. */
interface HeldOutput {
  readonly callId: string
  readonly namespace: readonly string[]
  text: string
}

/** The maximum number of unfinished messages that are remembered. */
const MAX_BEGUN = 1024

const roles: { readonly [role: string]: Role | undefined } = { human: 'user', user: 'user', system: 'system' }

/** The protocol has its own events; it reports the state as the stream modes do. */
export function createProtocol(graph: Graph): (out: Out, item: Item) => void {
  const streamed = new Map<string, EmittedMessage | HeldOutput>()

  function start(out: Out, data: JsonObject, key: string, item: Item): void {
    const callId = textIn(data.tool_call_id)
    if (data.role === 'tool' && callId !== undefined) {
      remember(streamed, key, { callId, namespace: item.namespace, text: '' }, MAX_BEGUN)
      return
    }
    const { lc_agent_name, model, ls_model_name } = objectIn(data.metadata)
    const scope = graph.namespaces.enter(out, graphNamespace(item), { agentName: textIn(lc_agent_name) })
    const opening = { model: textIn(model) ?? textIn(ls_model_name), node: nodeOf(item) }
    const role = roles[String(data.role)] ?? 'assistant'
    const emitted = graph.emitter.begin(out, textIn(data.id), role, { scope, opening, task: key })
    remember(streamed, key, emitted, MAX_BEGUN)
    addEnding(out, emitted, { usage: data.usage ?? null })
  }

  const messages = ofObjects((out, _graph, data, item) => {
    const key = textIn(data.run_id) ?? item.namespace.join('|')
    const message = streamed.get(key)
    const row = messageRows.get(data.event)
    if (data.event === 'message-finish') streamed.delete(key)
    if (data.event === 'message-start') start(out, data, key, item)
    else if (data.event === 'error') out.push({ type: 'error', ...errorOf(data.message) })
    else if (row === undefined || message === undefined) keepRaw(out, data)
    else if ('text' in message) pushOutput(out, graph, message, data)
    else if (!row(out, graph, message, data)) keepRaw(out, data)
  })

  const methods: ReadonlyMap<string, Mode> = new Map<string, Mode>([
    ...modes,
    ['messages', messages],
    ['lifecycle', lifecycle],
    ['input.requested', (out, _graph, item) => ask(out, graph, [item.data], graphNamespace(item))],
  ])

  return (out, item) => {
    const method = methods.get(item.mode.startsWith('custom:') ? 'custom' : item.mode)
    if (method === undefined) keepRaw(out, { method: item.mode, data: item.data })
    else method(out, graph, item)
  }
}

/** Returns whether the event was understood. */
type Row = (out: Out, graph: Graph, message: EmittedMessage, data: JsonObject) => boolean

const rows: { readonly [event: string]: Row } = {
  // A block begins, perhaps with text. A block that arrives whole is read when it is finished.
  'content-block-start': (out, graph, message, { content, index }) =>
    pushParts(out, graph, message, content, index, false),
  'content-block-delta'(out, graph, message, { index, delta }) {
    const { type, text, reasoning, fields } = objectIn(delta)
    const key = indexOf(index) ?? ''
    if (type === 'text-delta' && typeof text === 'string')
      addProse(out, message, { kind: 'text', key: `text:${key}`, text })
    else if (type === 'reasoning-delta' && typeof reasoning === 'string')
      addProse(out, message, { kind: 'reasoning', key: `reasoning:${key}`, text: reasoning })
    else if (type !== 'block-delta') return false
    // Fragments of an input accompany the input so far, which is sufficient.
    else return objectIn(fields).type === 'input_json_delta' || pushParts(out, graph, message, fields, index, false)
    return true
  },
  'content-block-finish': (out, graph, message, { content, index }) =>
    pushParts(out, graph, message, content, index, true),
  usage: (out, _graph, message, data) => isJsonObject(data.usage) && addEnding(out, message, data),
  'message-finish'(out, graph, message, data) {
    addEnding(out, message, data)
    graph.emitter.end(out, message)
    return true
  },
  provider: (out, _graph, { fields }, { event: _event, ...provider }) =>
    out.push(...metadata({ provider }, fields)) > 0,
}

const messageRows: ReadonlyMap<unknown, Row> = new Map(Object.entries(rows))

/** The parts of a block so far. Blocks and inputs are repeated from their beginning. */
function pushParts(
  out: Out,
  { content: emit }: Graph,
  message: EmittedMessage,
  content: unknown,
  index: Json | undefined,
  isFinished: boolean,
): boolean {
  if (!isJsonObject(content)) return false
  for (const part of partsOfBlock({ ...content, index: index ?? null })) {
    if (part.kind === 'call') {
      const call = emit.addCall(out, message, part, true)
      if (isFinished && call !== undefined) completeInput(out, call)
    } else if (isProse(part)) {
      settleProse(out, message, part)
      if (isFinished && message.byKey.get(part.key) === message.current) closeBlock(out, message)
    } else if (isFinished || part.kind === 'other') emit.other(out, message, part)
  }
  return true
}

/** Metadata and usage at a message's end, or before: usage is counted from the beginning each time. */
function addEnding(out: Out, message: EmittedMessage, data: JsonObject): true {
  message.reason = textIn(data.reason) ?? message.reason
  out.push(...metadata(objectIn(data.metadata ?? data.responseMetadata ?? data.response_metadata), message.fields))
  if (isJsonObject(data.usage)) addUsage(out, message, data.usage, true)
  return true
}

function pushOutput(out: Out, { namespaces, calls }: Graph, held: HeldOutput, data: JsonObject): void {
  const { event, delta, content } = data
  const { callId, namespace, text } = held
  if (event === 'message-finish') {
    const scope = namespaces.scopeOf(namespace.slice(0, -1))
    if (scope === undefined) keepRaw(out, { tool_call_id: callId, content: text })
    else calls.answer(out, scope, callId, { output: text })
    return
  }
  const { text: more } = objectIn(delta)
  const { text: whole = '' } = objectIn(content)
  if (event === 'content-block-delta' && typeof more === 'string') held.text += more
  else if (event === 'content-block-finish' && isJsonObject(content) && typeof whole === 'string')
    held.text = whole || text
  else if (event === 'content-block-delta' || event === 'content-block-finish') keepRaw(out, data)
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
const lifecycle = ofObjects((out, graph, data, { namespace }) => {
  const event = String(data.event)
  const agentName = textIn(data.graph_name)
  const ending = Object.hasOwn(endings, event) ? (event as keyof typeof endings) : undefined
  if (namespace.length === 0) {
    graph.ending = ending ?? 'running'
    if (ending === 'failed') out.push({ type: 'run-end', outcome: 'error', error: errorOf(data.error) })
    else if (ending === undefined) out.push({ type: 'run-start', ...present({ agent: agentName }) })
    return
  }
  const { tool_call_id, toolCallId } = objectIn(data.cause)
  const callId = textIn(tool_call_id) ?? textIn(toolCallId)
  if (callId !== undefined) graph.namespaces.link(namespace.at(-1) ?? '', callId, agentName)
  if (callId !== undefined && event === 'started') graph.namespaces.enter(out, namespace, { agentName })
  else if (ending !== undefined) {
    if (ending === 'failed' && data.error !== undefined) out.push({ type: 'error', ...errorOf(data.error) })
    graph.namespaces.leave(out, namespace.join('|'), endings[ending])
  } else if (!UNDER_WAY.has(event)) keepRaw(out, data)
})
