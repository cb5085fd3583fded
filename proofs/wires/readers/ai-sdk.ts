import type { AbstractChat, ChatState, UIMessage } from 'ai'
import * as newest from 'ai'
import type { StreamEvent } from '../../../packages/core/src/events.ts'
import { createStamp } from '../../../packages/core/src/read/stamp.ts'
import { aiSdk } from '../../../packages/core/src/wire/ai-sdk.ts'
import { sseFrame, sseTerminator } from '../../../packages/core/src/wire/sse-frames.ts'
import type { Chunk } from '../../../packages/core/src/wire/wire.ts'

/** A run's chunks on the AI SDK's wire. The run's id is `run`. */
export function aiSdkChunks(events: readonly StreamEvent[], profile?: string): Chunk[] {
  const wireState = aiSdk.create({ runId: 'run', threadId: 'thread', ...(profile !== undefined && { profile }) })
  const stamp = createStamp()
  return events.flatMap((event) => wireState.push(stamp(event, 0)))
}

/** The chunks as a response's body, terminator included. */
export function aiSdkBody(chunks: readonly Chunk[]): string {
  return chunks.map((chunk) => sseFrame(chunk)).join('') + sseTerminator('[DONE]')
}

/** What the SDK's own reader makes of the chunks. Throws for what it refuses, including a chunk `error`. */
export async function readAiSdk(
  chunks: readonly Chunk[],
  message?: UIMessage,
  ai: AiPackage = newest,
): Promise<UIMessage> {
  const errors: unknown[] = []
  const read = await readAiSdkBody(bodyOf(chunks), (error) => void errors.push(error), message, ai)
  if (errors.length > 0) throw errors[0]
  return read
}

/** The package of one version of the SDK. */
export type AiPackage = Pick<
  typeof newest,
  'AbstractChat' | 'parseJsonEventStream' | 'readUIMessageStream' | 'uiMessageChunkSchema'
>

/** What the SDK's own reader makes of a body. `onError` gets what it refuses, and each chunk `error`. */
export async function readAiSdkBody(
  body: ReadableStream<Uint8Array>,
  onError: (error: unknown) => void,
  message?: UIMessage,
  ai: AiPackage = newest,
): Promise<UIMessage> {
  const options = { stream: checkedStream(body, ai), onError }
  let last = message
  for await (const next of ai.readUIMessageStream(message === undefined ? options : { ...options, message }))
    last = next
  if (last === undefined) throw new Error('The client made no message.')
  return last
}

const bodyOf = (chunks: readonly Chunk[]) => new Blob([aiSdkBody(chunks)]).stream()

function checkedStream(stream: ReadableStream<Uint8Array>, ai: AiPackage = newest) {
  const parsed = ai.parseJsonEventStream({ stream, schema: ai.uiMessageChunkSchema })
  type Parsed = typeof parsed extends ReadableStream<infer Result> ? Result : never
  type Valid = Extract<Parsed, { success: true }>['value']
  return parsed.pipeThrough(
    new TransformStream<Parsed, Valid>({
      transform(result, controller) {
        if (!result.success) throw result.error
        controller.enqueue(result.value)
      },
    }),
  )
}

type ChatOptions = Omit<ConstructorParameters<typeof newest.AbstractChat<UIMessage>>[0], 'state'>

/** The client that applications use, without the store of a UI framework. */
export function createChat(options: ChatOptions, ai: AiPackage = newest): AbstractChat<UIMessage> {
  class Chat extends ai.AbstractChat<UIMessage> {}
  return new Chat({ ...options, state: emptyState() })
}

export interface ChatResult {
  readonly status: string
  readonly error: string | undefined
  readonly messages: readonly UIMessage[]
  readonly toolCalls: readonly string[]
  readonly finishReasons: readonly (string | undefined)[]
}

/** What a chat holds after it has received one response per list of chunks. */
export async function chatAiSdk(...responses: readonly (readonly Chunk[])[]): Promise<ChatResult> {
  const toolCalls: string[] = []
  const finishReasons: (string | undefined)[] = []
  const waiting = [...responses]
  const next = async () => checkedStream(bodyOf(waiting.shift() ?? []))
  const chat = createChat({
    transport: { sendMessages: next, reconnectToStream: next },
    onToolCall: ({ toolCall }) => void toolCalls.push(toolCall.toolCallId),
    onFinish: ({ finishReason }) => void finishReasons.push(finishReason),
    onError: () => {},
  })
  await chat.sendMessage({ text: 'Go' })
  while (waiting.length > 0) await chat.sendMessage()
  const { status, error, messages } = chat
  return { status, error: error?.message, messages, toolCalls, finishReasons }
}

function emptyState(): ChatState<UIMessage> {
  const state: ChatState<UIMessage> = {
    status: 'ready',
    error: undefined,
    messages: [],
    pushMessage: (message) => {
      state.messages = [...state.messages, message]
    },
    popMessage: () => {
      state.messages = state.messages.slice(0, -1)
    },
    replaceMessage: (index, message) => {
      state.messages = state.messages.with(index, message)
    },
    snapshot: (thing) => structuredClone(thing),
  }
  return state
}

/** A question about no call is a call of its own. */
export function isQuestion(part: { readonly type: string }): boolean {
  const { toolName, toolCallId } = part as { readonly toolName?: string; readonly toolCallId?: string }
  return part.type === 'dynamic-tool' && toolName === 'question' && toolCallId?.startsWith('question/') === true
}

/** What a subagent says is a data part that contains a part of text or reasoning; any other part is itself, also an application's of that name. */
export function subagentPart<Part extends { readonly type: string }>(part: Part): Part {
  if (part.type !== 'data-subagent-part') return part
  const { data } = part as unknown as { readonly data: Part & { readonly citations?: unknown } }
  return data.citations === undefined || Array.isArray(data.citations) ? data : part
}
