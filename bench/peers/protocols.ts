import type { EventOf, StreamEvent } from '@millrace/core/events'
import { aiSdk } from '@millrace/core/wire/ai-sdk'
import { entriesOf } from '../streams.ts'

export type Wired = { readonly type: string; readonly [field: string]: unknown }

/** A run as another project's protocol says it. */
export type Protocol = (events: readonly StreamEvent[]) => readonly Wired[]

type Rows<Context> = {
  readonly [Type in StreamEvent['type']]?: (event: EventOf<Type>, context: Context) => readonly Wired[]
}

function translate<Context>(rows: Rows<Context>, context: Context, events: readonly StreamEvent[]): readonly Wired[] {
  return events.flatMap((event) => {
    const row = rows[event.type] as ((event: StreamEvent, context: Context) => readonly Wired[]) | undefined
    return row?.(event, context) ?? []
  })
}

export const aiSdkChunks: Protocol = (events) => {
  const wireState = aiSdk.create({ runId: 'run', threadId: 'thread' })
  return entriesOf(events).flatMap((entry) => [...wireState.push(entry)]) as unknown as readonly Wired[]
}

interface AgUiContext {
  readonly reasoning: Set<string>
  /** The text message that a tool call belongs to. */
  message: string | undefined
  steps: number
}

const agUiRows: Rows<AgUiContext> = {
  'run-start': () => [{ type: 'RUN_STARTED', threadId: 'thread', runId: 'run' }],
  'run-end': () => [{ type: 'RUN_FINISHED', threadId: 'thread', runId: 'run' }],
  'step-start': (_, context) => {
    context.steps++
    return [{ type: 'STEP_STARTED', stepName: `step ${context.steps}` }]
  },
  'step-end': (_, { steps }) => [{ type: 'STEP_FINISHED', stepName: `step ${steps}` }],
  'block-start': ({ blockId: messageId, kind }, context) => {
    if (kind === 'reasoning') {
      context.reasoning.add(messageId)
      return [
        { type: 'REASONING_START', messageId },
        { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      ]
    }
    context.message = messageId
    return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }]
  },
  'block-delta': ({ blockId: messageId, text: delta }, { reasoning }) => [
    { type: reasoning.has(messageId) ? 'REASONING_MESSAGE_CONTENT' : 'TEXT_MESSAGE_CONTENT', messageId, delta },
  ],
  'block-end': ({ blockId: messageId }, { reasoning }) =>
    reasoning.has(messageId)
      ? [
          { type: 'REASONING_MESSAGE_END', messageId },
          { type: 'REASONING_END', messageId },
        ]
      : [{ type: 'TEXT_MESSAGE_END', messageId }],
  'tool-start': ({ callId: toolCallId, name: toolCallName }, { message: parentMessageId }) => [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId },
  ],
  'tool-input-delta': ({ callId: toolCallId, text: delta }) => [{ type: 'TOOL_CALL_ARGS', toolCallId, delta }],
  'tool-input': ({ callId: toolCallId }) => [{ type: 'TOOL_CALL_END', toolCallId }],
  'tool-output': ({ callId: toolCallId, output: content }) => [
    { type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}:result`, toolCallId, content },
  ],
}

export const agUiEvents: Protocol = (events) =>
  translate(agUiRows, { reasoning: new Set<string>(), message: undefined, steps: 0 }, events)

/** Where the part of a block or a call stands in its message. */
interface AssistantContext {
  readonly places: Map<string, number>
}

const usage = { inputTokens: 1000, outputTokens: 200 }

const assistantRows: Rows<AssistantContext> = {
  'step-start': () => [{ type: 'step-start', path: [], messageId: 'm' }],
  'step-end': () => [{ type: 'step-finish', path: [], finishReason: 'stop', usage, isContinued: false }],
  'block-start': ({ blockId, kind }, { places }) => {
    places.set(blockId, places.size)
    return [{ type: 'part-start', path: [], part: { type: kind } }]
  },
  'block-delta': ({ blockId, text }, context) => [
    { type: 'text-delta', path: pathOf(blockId, context), textDelta: text },
  ],
  'block-end': ({ blockId }, context) => [{ type: 'part-finish', path: pathOf(blockId, context) }],
  'tool-start': ({ callId: toolCallId, name: toolName }, { places }) => {
    places.set(toolCallId, places.size)
    return [{ type: 'part-start', path: [], part: { type: 'tool-call', toolCallId, toolName } }]
  },
  'tool-input-delta': ({ callId, text }, context) => [
    { type: 'text-delta', path: pathOf(callId, context), textDelta: text },
  ],
  'tool-input': ({ callId }, context) => [{ type: 'tool-call-args-text-finish', path: pathOf(callId, context) }],
  'tool-output': ({ callId, output: result }, context) => [
    { type: 'result', path: pathOf(callId, context), result, isError: false },
    { type: 'part-finish', path: pathOf(callId, context) },
  ],
  'run-end': () => [{ type: 'message-finish', path: [], finishReason: 'stop', usage }],
}

const pathOf = (id: string, { places }: AssistantContext) => [places.get(id) ?? -1]

export const assistantChunks: Protocol = (events) =>
  translate(assistantRows, { places: new Map<string, number>() }, events)
