import type { Content } from '@millrace/testkit/content'
import type { StreamEvent } from '../../../packages/core/src/events.ts'
import type { Json } from '../../../packages/core/src/json.ts'
import { createStamp } from '../../../packages/core/src/read/stamp.ts'
import { dsAgent } from '../../../packages/core/src/wire/ds-agent.ts'
import type { Chunk, WireOptions } from '../../../packages/core/src/wire/wire.ts'
import { type DsAgentMessage, messageOf } from './ds-agent-shape.ts'

/** A run's messages on this wire. The run's id is `run`, its session is `thread`. */
export function dsAgentMessages(events: readonly StreamEvent[], options: Partial<WireOptions> = {}): DsAgentMessage[] {
  const wireState = dsAgent.create({ runId: 'run', threadId: 'thread', ...options })
  const stamp = createStamp()
  return events.flatMap((event) => wireState.push(stamp(event, 0))).map(messageOf)
}

type Component = 'chat' | 'webide' | 'terminal'

/** A client of the protocol: it holds one message for each id, and shows them by their component. */
export interface DsAgentClient {
  /** Throws if the message is not valid by itself or at its position. */
  receive(chunk: object): void
  messages(): readonly DsAgentMessage[]
  pane(component: Component): readonly DsAgentMessage[]
  /** The streams that have no end yet. */
  open(): readonly string[]
}

/** `isCumulative`: a delta has all of the text so far. The client begins with the messages that it has loaded. */
export function createDsAgentClient(isCumulative = false, loaded: readonly DsAgentMessage[] = []): DsAgentClient {
  const held = new Map(loaded.map((message) => [message.message_id, message]))
  const streaming = loaded.filter(({ metadata }) => metadata.streaming === true)
  const open = new Map(streaming.map(({ message_id: id, metadata }) => [id, String(metadata.stream_id)]))
  const streamIds = new Set<string>(open.values())

  function begin(id: string, message: DsAgentMessage): void {
    const streamId = String(message.metadata.stream_id)
    if (held.has(id)) throw new Error(`A second beginning of ${id}`)
    if (streamIds.has(streamId)) throw new Error(`The stream ${streamId} is another message's`)
    if (message.content !== '') throw new Error(`${id} does not begin empty`)
    streamIds.add(streamId)
    open.set(id, streamId)
    held.set(id, message)
  }

  function extend(id: string, message: DsAgentMessage): void {
    const before = held.get(id)
    if (before === undefined || open.get(id) !== message.metadata.stream_id)
      throw new Error(`A delta of nothing: ${id}`)
    const content = isCumulative ? message.content : before.content + message.content
    held.set(id, { ...before, content })
  }

  /** The whole of a stream, a message that does not stream, or a later version of a whole message. */
  function store(id: string, message: DsAgentMessage): void {
    const streamId = message.metadata.stream_id
    if (open.has(id) !== (streamId !== undefined)) throw new Error(`${id} is whole twice, or never began`)
    if (streamId !== undefined && open.get(id) !== streamId) throw new Error(`${id} ends another stream`)
    const before = held.get(id)
    if (streamId !== undefined && !isRewritten(message) && !isSame(before?.content ?? '', message.content)) {
      throw new Error(`${id} is not what its pieces make`)
    }
    if (
      streamId === undefined &&
      before !== undefined &&
      before.metadata.message_type !== message.metadata.message_type
    ) {
      throw new Error(`${id} was something else`)
    }
    open.delete(id)
    held.set(id, message)
  }

  /** In the cumulative profiles not every delta is sent. */
  function isSame(pieces: string, whole: string): boolean {
    return isCumulative ? whole.startsWith(pieces) : whole === pieces
  }

  return {
    receive(chunk) {
      const message = messageOf(chunk)
      const { is_delta: isDelta, is_initial_stream: isInitial, streaming } = message.metadata
      const id = message.message_id
      if (isInitial === true) begin(id, message)
      else if (isDelta === true) extend(id, message)
      else if (streaming === true) throw new Error(`${id} is neither a beginning nor a delta`)
      else store(id, message)
    },
    messages: () => [...held.values()],
    pane: (component) => [...held.values()].filter(({ metadata }) => metadata.component === component),
    open: () => [...open.keys()],
  }
}

/** A client that has read these messages. Throws if one of them is still open. */
export function readDsAgent(chunks: readonly object[], isCumulative = false): DsAgentClient {
  const client = createDsAgentClient(isCumulative)
  for (const chunk of chunks) client.receive(chunk)
  if (client.open().length > 0) throw new Error(`Never whole: ${client.open().join(', ')}`)
  return client
}

/** Our own fields, which a client of the protocol ignores. */
interface Beside {
  readonly kind?: 'text' | 'reasoning'
  readonly text?: string
  readonly isRewritten?: boolean
  readonly json?: boolean
  readonly input?: Json
  readonly output?: Json
}

const besideOf = ({ metadata }: DsAgentMessage) => (metadata.millrace ?? {}) as Beside
const isRewritten = (message: DsAgentMessage) => besideOf(message).isRewritten === true

/**
 * What the client holds, as the suites compare it. The protocol's types distinguish neither text from reasoning nor JSON
 * from a text that looks like it: that is read from our own fields.
 */
export async function dsAgentContent(chunks: readonly Chunk[]): Promise<Content> {
  const messages = readDsAgent(chunks).messages()
  const textsOf = (kind: 'text' | 'reasoning') =>
    messages
      .filter((message) => besideOf(message).kind === kind)
      .map((message) => besideOf(message).text ?? message.content)
  const badges = messages.filter(({ metadata }) => metadata.message_type === 'tool_call')
  return {
    texts: textsOf('text'),
    reasonings: textsOf('reasoning'),
    tools: badges.map((badge) => toolOf(badge, messages)),
  }
}

function toolOf({ metadata }: DsAgentMessage, messages: readonly DsAgentMessage[]): Content['tools'][number] {
  const find = (type: string) =>
    messages.find(({ metadata: { message_type, tool_id } }) => message_type === type && tool_id === metadata.tool_id)
  const invocation = find('tool_invocation')
  const observation = find('observation')
  return {
    name: String(metadata.tool_name),
    input: invocation && valueIn(invocation, 'input'),
    output: observation && valueIn(observation, 'output'),
  }
}

function valueIn(message: DsAgentMessage, name: 'input' | 'output'): Json {
  const beside = besideOf(message)
  if (name in beside) return beside[name] as Json
  const { code } = message.metadata
  const words = typeof code === 'string' ? code : message.content
  return beside.json === true ? (JSON.parse(words) as Json) : words
}
