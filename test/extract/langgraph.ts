import type { ExtractFrom, Unread } from './extract.ts'
import {
  fieldsOf,
  type Heard,
  hearAgain,
  hearChunk,
  isChunk,
  json,
  kindOf,
  messageFor,
  proseOfBlock,
  type Raw,
  say,
  sum,
} from './lang-messages.ts'

const MODES = ['values', 'updates', 'custom', 'tasks', 'checkpoints', 'debug']

export const unread: Unread = {
  'langgraph/damaged-chunks.jsonl': 'what cannot be read is kept as raw',
  'langgraph/agents-by-their-tasks.jsonl': 'which messages are the input of an agent is the rule of the parser',
  'langgraph/calls-of-every-form.jsonl': 'which call a fragment belongs to is the rule of the parser',
  'langgraph/contents-of-every-kind.jsonl': 'the blocks of other providers have no common documentation',
  'langgraph/partial-messages.jsonl': 'a part of a message follows the whole of it',
  'langgraph/protocol-of-agents.jsonl': 'it has records of no documented shape',
  'langgraph/renamed-messages.jsonl': 'which message a new id belongs to is the rule of the parser',
  'langgraph/calls-without-ids.jsonl': 'which call a nameless part belongs to is the rule of the parser',
  'langgraph/contents-of-other-providers.jsonl': 'the blocks of other providers have no common documentation',
  'langgraph/events-as-records.jsonl': 'the envelope is that of a proxy',
  'langgraph/modes-and-odd-records.jsonl': 'its records are of no documented shape',
  'langgraph/protocol-odd-events.jsonl': 'its records are of no documented shape',
  'langgraph/server-legacy-repeated.sse': 'a part of a message follows the whole of it',
  'langgraph/relay-odd.sse': 'its records are of no documented shape',
}

export const extract: ExtractFrom = (values) => {
  const heard: Heard[] = []
  for (const value of values as readonly Value[]) {
    if (value?.type === 'event') protocol(heard, value)
    else if (value?.thread_id !== undefined && value.role !== undefined) relay(heard, value)
    else if (value?.data?.thread_id !== undefined) relay(heard, value.data)
    else if (value !== null) hear(heard, shapeOf(value))
  }
  return sum(heard)
}

/** A record of any shape, as far as it is read. */
interface Value extends Omit<Raw, 'data'> {
  readonly event?: string
  readonly ns?: readonly string[]
  readonly data?: Value
  readonly thread_id?: string
  readonly options?: unknown
  readonly method?: string
  readonly params?: { readonly namespace: readonly string[]; readonly data: ProtocolData }
}

interface ProtocolData extends Raw {
  readonly toolCallId?: string
  readonly event?: string
  readonly run_id?: string
  readonly delta?: Raw
}

interface Shape {
  readonly namespace: string
  readonly mode: string
  readonly data: unknown
}

function shapeOf(value: Value | readonly unknown[]): Shape {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : undefined
  const namespace =
    Array.isArray(list?.[0]) && list[0].every((part) => typeof part === 'string') ? list[0].join('|') : ''
  if (list?.length === 3) return { namespace, mode: String(list[1]), data: list[2] }
  if (typeof list?.[0] === 'string') return { namespace, mode: list[0], data: list[1] }
  if (list !== undefined && Array.isArray(list[0])) return { namespace, mode: 'values', data: list[1] }
  if (list !== undefined) return { namespace, mode: 'messages', data: list }
  const { ns, type = '', data } = value as Value
  return ns === undefined ? { namespace, mode: 'values', data: value } : { namespace: ns.join('|'), mode: type, data }
}

function hear(heard: Heard[], { namespace, mode, data }: Shape): void {
  if (mode === 'messages') messages(heard, namespace, data as readonly Raw[])
  if (mode === 'tools') hearTool(heard, data as ProtocolData)
  if (MODES.includes(mode)) for (const one of messagesIn(data)) hearWhole(heard, namespace, one)
}

/** A call that only its tool events report. */
function hearTool(heard: Heard[], { event, name = '', input, toolCallId }: ProtocolData): void {
  const parsedInput = typeof input === 'string' ? json(input) : input
  const isKnown = heard.some((message) => message.tools.some(({ id }) => id === toolCallId))
  if (event !== 'on_tool_start' || isKnown) return
  messageFor(heard, '', name).tools.push({ id: name, index: undefined, name, args: '', input: parsedInput })
}

/** `[message, metadata]`, or a list of messages that are repeated from their beginning. */
function messages(heard: Heard[], namespace: string, list: readonly Raw[]): void {
  const [first = {}, second] = list
  if (second === undefined) {
    if (kindOf(first) === 'ai' || kindOf(first) === 'human')
      hearAgain(messageFor(heard, '', fieldsOf(first).id), fieldsOf(first))
    return
  }
  const task = (second as { readonly langgraph_checkpoint_ns?: string }).langgraph_checkpoint_ns
  const graph = task === undefined ? namespace : task.split('|').slice(0, -1).join('|')
  if (isChunk(first)) hearChunk(messageFor(heard, graph, fieldsOf(first).id), fieldsOf(first))
  else hearWhole(heard, graph, first)
}

/** Every message in a state, an update, a task or a checkpoint, at any depth. */
function messagesIn(data: unknown): Raw[] {
  if (Array.isArray(data)) return data.flatMap(messagesIn)
  if (typeof data !== 'object' || data === null) return []
  return kindOf(data as Raw) === undefined ? Object.values(data).flatMap(messagesIn) : [data as Raw]
}

/** The input of an agent inside another is its task, which the call holds. */
function hearWhole(heard: Heard[], namespace: string, value: Raw): void {
  const fields = fieldsOf(value)
  const kind = kindOf(value)
  const isRelated = (other: string) =>
    other === namespace || namespace === '' || other === '' || other.startsWith(namespace)
  const existing = heard.find((one) => one.id === fields.id && isRelated(one.namespace))
  if (kind === 'tool' || kind === 'remove' || (kind !== 'ai' && namespace !== '')) return
  hearAgain(existing ?? messageFor(heard, namespace, fields.id), fields)
}

/** `{thread_id, agent, id, role, content, …}`: chunks in a server's own envelope. */
function relay(heard: Heard[], data: Value): void {
  if (data.tool_call_id === undefined && data.options === undefined)
    hearChunk(messageFor(heard, '', data.id), data as Raw)
}

/** The protocol's messages are streams of blocks, identified by the run of the model. */
function protocol(heard: Heard[], { method, params }: Value): void {
  if (params === undefined) return
  const { data, namespace } = params
  if (method === 'values' || method === 'updates') {
    for (const one of messagesIn(data)) hearWhole(heard, namespace.join('|'), one)
  }
  if (method !== 'messages') return
  if (data.event === 'message-start' && data.role !== 'tool') {
    runs.set(messageFor(heard, namespace.slice(0, -1).join('|'), data.id), data.run_id)
  }
  const message = heard.findLast((one) => data.run_id !== undefined && runs.get(one) === data.run_id)
  if (message !== undefined) hearBlock(message, data)
}

function hearBlock(message: Heard, { event, index, content, delta }: ProtocolData): void {
  const block = (content ?? {}) as Raw
  const key = String(index)
  if (event === 'content-block-start') for (const { kind, text } of proseOfBlock(block)) say(message, kind, key, text)
  if (delta?.type === 'text-delta') say(message, 'text', key, delta.text ?? '')
  if (delta?.type === 'reasoning-delta') say(message, 'reasoning', key, String(delta.reasoning))
  if (event !== 'content-block-finish') return
  for (const { kind, text } of proseOfBlock(block)) {
    message.prose = message.prose.map((one) => (one.kind === kind && one.key === key ? { ...one, text } : one))
  }
  const input = typeof block.args === 'string' ? json(block.args) : block.args
  if (block.name !== undefined) message.tools.push({ id: block.id, index, name: block.name, args: '', input })
}

const runs = new WeakMap<Heard, string | undefined>()
