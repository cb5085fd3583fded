import { isDeepStrictEqual } from 'node:util'
import { type BaseEvent, HttpAgent, type Interrupt, type Message, type ToolCall, type ToolMessage } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import type { Content } from '@millrace/testkit/content'
import type { StreamEvent } from '../../../packages/core/src/events.ts'
import type { Json } from '../../../packages/core/src/json.ts'
import { createStamp } from '../../../packages/core/src/read/stamp.ts'
import { agUi } from '../../../packages/core/src/wire/ag-ui.ts'
import { sseFrame } from '../../../packages/core/src/wire/sse-frames.ts'
import type { Chunk } from '../../../packages/core/src/wire/wire.ts'

/** What the protocol's own client holds once it has read a stream. */
export interface AgUiResult {
  readonly messages: readonly Message[]
  readonly state: unknown
  readonly interrupts: readonly Interrupt[]
  /** The calls, in the order in which they started. */
  readonly calls: readonly string[]
  /** What each run ended with. */
  readonly outcomes: readonly string[]
  readonly pendingToolCallIds: readonly string[]
}

/** A run's chunks on this wire. The run's id is `run`. */
export function agUiChunks(events: readonly StreamEvent[]): Chunk[] {
  const wireState = agUi.create({ runId: 'run', threadId: 'thread' })
  const stamp = createStamp()
  return events.flatMap((event) => wireState.push(stamp(event, 0)))
}

/**
 * What the client makes of the chunks: it checks each against its schema, and the order of all of them. Throws if it
 * refuses a chunk or changes one.
 */
export async function readAgUi(chunks: readonly Chunk[], messages: readonly Message[] = []): Promise<AgUiResult> {
  for (const chunk of chunks) EventSchemas.parse(chunk)
  const body = chunks.map((chunk, index) => sseFrame(chunk, `1.${index}`)).join('')
  const agent = new HttpAgent({
    url: 'http://127.0.0.1/',
    threadId: 'thread',
    initialMessages: structuredClone([...messages]),
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  })
  const calls: string[] = []
  const outcomes: string[] = []
  const pendingToolCallIds: string[] = []
  const received: BaseEvent[] = []
  await agent.runAgent(
    {},
    {
      onEvent: ({ event }) => void received.push(event),
      onToolCallStartEvent: ({ event }) => void calls.push(event.toolCallId),
      onRunFinishedEvent(params) {
        outcomes.push(params.outcome)
        if (params.outcome === 'success') pendingToolCallIds.push(...params.pendingToolCallIds)
      },
      onRunErrorEvent: ({ event }) => void outcomes.push(`error: ${event.message}`),
    },
  )
  const odd = chunks.findIndex((chunk, index) => !isDeepStrictEqual(received[index], chunk))
  if (odd !== -1) throw new Error(`The client removed something from chunk ${odd}: ${JSON.stringify(chunks[odd])}`)
  const { messages: held, state, pendingInterrupts: interrupts } = agent
  return { messages: held, state, interrupts, calls, outcomes, pendingToolCallIds }
}

/** What the client makes of the chunks, as the suites compare it. */
export async function agUiContent(chunks: readonly Chunk[]): Promise<Content> {
  const { messages, calls } = await readAgUi(chunks)
  return agUiContentOf(messages, calls)
}

/** What messages of the client hold, as the suites compare it. The calls are in the order in which they started. */
export function agUiContentOf(messages: readonly Message[], calls: readonly string[]): Content {
  const called = new Map(messages.flatMap(toolCallsOf).map((call) => [call.id, call]))
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message] as const] : [])),
  )
  return {
    texts: messages.flatMap((message) =>
      message.role !== 'reasoning' && message.role !== 'tool' && typeof message.content === 'string'
        ? [message.content]
        : [],
    ),
    reasonings: messages.flatMap((message) => (message.role === 'reasoning' ? [message.content] : [])),
    tools: calls.map((id) => toolOf(called.get(id), results.get(id))),
  }
}

function toolCallsOf(message: Message): readonly ToolCall[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []) : []
}

type Metadata = { readonly millrace?: { readonly input?: Json; readonly json?: boolean } } | undefined

/** An input is parsed from its text, a result by the type that it declares. */
function toolOf(call: ToolCall | undefined, result: ToolMessage | undefined): Content['tools'][number] {
  const loggedInput = (call?.metadata as Metadata)?.millrace?.input
  return {
    name: call?.function.name ?? '',
    input: loggedInput ?? jsonOf(call?.function.arguments ?? ''),
    output: outputOf(result),
  }
}

function outputOf(result: ToolMessage | undefined): Json | undefined {
  const isJson = (result?.metadata as Metadata)?.millrace?.json === true
  return isJson && typeof result?.content === 'string' ? jsonOf(result.content) : (result?.content as Json | undefined)
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
