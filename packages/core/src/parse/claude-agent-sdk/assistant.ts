import { present } from '../../data/present.ts'
import type { EventOf, EventType, StreamEvent } from '../../events.ts'
import type { RawRecord } from '../../source/source.ts'
import { closeBlock, openBlock } from '../anthropic-messages/blocks.ts'
import { usageEvents } from '../anthropic-messages/details.ts'
import type { AnyToolUse, Block } from '../anthropic-messages/raw.ts'
import { isToolResult } from '../anthropic-messages/results.ts'
import { isEmpty, metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { understood } from '../parser.ts'
import { type Calls, fromAgent } from './calls.ts'
import { markOf } from './lines.ts'
import type { AssistantLine, StreamLine } from './raw.ts'
import {
  addUnstreamed,
  begin,
  claimStreamed,
  isModel,
  type Message,
  messageOf,
  noteStreamed,
  type Thread,
} from './threads.ts'

/** The events of a stream event: those of the API, without what the surrounding lines add. */
export function streamEvents(thread: Thread, raw: StreamLine, record: RawRecord): readonly StreamEvent[] {
  const event = complete(thread, raw.event)
  const events = thread.api.push(event, record)
  const [first] = events
  if (events.length === 1 && first?.type === 'block-delta') {
    noteStreamed(thread, first)
    return events
  }
  if (events.length === 0) return events
  const { index } = event
  const out: Out = []
  if (thread.open === undefined && index !== undefined && raw.api_message_id) begin(out, thread, raw.api_message_id, {})
  for (const one of events) addStreamed(out, thread, one)
  if (thread.open !== undefined && index !== undefined)
    thread.open.nextIndex = Math.max(thread.open.nextIndex, index + 1)
  return understood(out)
}

const OF_BLOCKS = /^content_block_(start|delta|stop)$/

/** Fills in what some producers leave out: the message's fields and the block's index. */
function complete(thread: Thread, event: StreamLine['event']): StreamLine['event'] {
  if (event.type === 'message_start') {
    thread.lastIndex = -1
    return event.message === undefined ? { ...event, message: {} } : event
  }
  if (event.index !== undefined) thread.lastIndex = event.index
  if (event.index !== undefined || !OF_BLOCKS.test(event.type)) return event
  if (event.type === 'content_block_start') thread.lastIndex += 1
  return { ...event, index: Math.max(thread.lastIndex, 0) }
}

function addStreamed(out: Out, thread: Thread, event: StreamEvent): void {
  const row = streamRows[event.type]
  if (row !== undefined) row(out, thread, event as never)
  else {
    noteStreamed(thread, event)
    out.push(event)
  }
}

type StreamRows = { readonly [Type in EventType]?: (out: Out, thread: Thread, event: EventOf<Type>) => void }

const nothing = () => {}

const streamRows: StreamRows = {
  'run-start': nothing,
  /** The program retries, or reports the failure in its result. */
  'run-end': (out, _thread, { error }) =>
    out.push({ type: 'error', message: 'The stream of the API failed', ...error }),
  'message-start'(out, thread, { messageId, model }) {
    const message = messageOf(thread, messageId)
    begin(out, thread, messageId, { model })
    message.isStreamed = true
    message.isStreaming = true
  },
  'step-start': nothing,
  'step-end'(_out, thread, { reason }) {
    if (thread.open !== undefined) thread.open.stopReason = reason
  },
  /** The message stays open, because a step is one call of the model including its tools. */
  'message-end'(_out, thread) {
    if (thread.open !== undefined) thread.open.isStreaming = false
  },
  'tool-start': (out, _thread, event) => out.push(fromAgent(event)),
  /** Left out if a whole line or the result came before the block's end. */
  'tool-input'(out, { calls }, event) {
    const call = calls.get(event.callId)
    if (!call?.hasInput && !call?.isAnswered) out.push(event)
  },
  usage: addToMessage,
  metadata: addToMessage,
}

function addToMessage(out: Out, { open }: Thread, event: StreamEvent): void {
  out.push(open === undefined ? event : { ...event, messageId: open.messageId })
}

/**
 * Adds the events of a line whose blocks are whole. What was streamed of them is not emitted again. Returns the prose
 * blocks of the line, whether streamed before or emitted now.
 */
export function readAssistant(out: Out, thread: Thread, raw: AssistantLine, messageId: string): string[] {
  const { id, model, usage, stop_reason, content } = raw.message
  const message = messageOf(thread, messageId)
  const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const added: Out = []
  const blockIds: string[] = []
  const firstIndex = message.nextIndex
  for (const block of withoutRepeated(message, blocks)) {
    const blockId = readBlock(added, thread, message, block, id ?? undefined)
    if (blockId !== undefined) blockIds.push(blockId)
  }
  const counts = usage && (isModel(model) || model === undefined) ? JSON.stringify(usage) : ''
  const isCounted = !message.isStreamed && counts !== '' && counts !== message.usage
  message.usage = counts
  message.stopReason = stop_reason ?? message.stopReason
  message.isCut ||= raw.aborted === true
  if (message.nextIndex > firstIndex) {
    const { error, request_id, requestId } = raw
    const { stop_details, container, context_management, diagnostics } = raw.message
    begin(out, thread, messageId, { model, error, request_id: request_id ?? requestId })
    if (isCounted) for (const event of usageEvents(present(usage ?? {}))) out.push({ ...event, messageId })
    out.push(...metadata({ stop_details, container, context_management, diagnostics }, { messageId }))
  }
  for (const event of added)
    out.push(raw.aborted && event.type === 'block-end' ? { ...event, interrupted: true } : event)
  return blockIds
}

/** The most blocks of a message that are compared. */
const MAX_MARKS = 256

/** Some lines repeat the whole message so far. Removes the blocks that earlier lines held. */
function withoutRepeated({ marks }: Message, blocks: readonly Block[]): readonly Block[] {
  const blockMarks = blocks.map((block) => markOf([block]))
  const isMore =
    marks.length > 0 && blocks.length > marks.length && marks.every((mark, index) => mark === blockMarks[index])
  const repeatedCount = isMore ? marks.length : 0
  if (marks.length < MAX_MARKS) marks.push(...blockMarks.slice(repeatedCount))
  return blocks.slice(repeatedCount)
}

/** Adds what is new of a block. Returns the id of a prose block, whether it was streamed before or is emitted now. */
function readBlock(
  out: Out,
  thread: Thread,
  message: Message,
  block: Block,
  messageId: string | undefined,
): string | undefined {
  const text = proseOf(block)
  if (text !== undefined) {
    const kind = block.type === 'redacted_thinking' ? 'redacted' : block.type
    const streamed = claimStreamed(thread, kind, text, messageId)
    if (streamed === undefined) return addBlock(out, message, block)
    addUnstreamed(out, streamed, text, block.type === 'thinking' ? block.signature : undefined)
    return streamed.blockId
  }
  if (block.type.endsWith('tool_use')) return readCall(out, thread.calls, message, block as AnyToolUse)
  const isRepeated = isToolResult(block) ? thread.calls.get(block.tool_use_id)?.isAnswered : message.isStreamed
  return isRepeated ? undefined : addBlock(out, message, block)
}

function proseOf(block: Block): string | undefined {
  if (block.type === 'text') return block.text ?? ''
  if (block.type === 'thinking') return block.thinking ?? ''
  return block.type === 'redacted_thinking' ? '' : undefined
}

/** A streamed call gets its whole input from this line, before its block ends. */
function readCall(out: Out, calls: Calls, message: Message, block: AnyToolUse): undefined {
  const { id, input } = block
  const call = calls.get(id ?? undefined)
  const isAbsent = isEmpty((input ?? {}) as object)
  if (call === undefined) addBlock(out, message, block as Block)
  else if (!call.hasInput && !call.isAnswered)
    out.push({ type: 'tool-input', callId: id as string, ...present({ input: isAbsent ? undefined : input }) })
}

/** Adds a whole block. Returns its id if it is prose. */
function addBlock(out: Out, message: Message, raw: Block): string | undefined {
  const { messageId } = message
  // While a message is streamed, its next indexes belong to the stream.
  const index = message.isStreaming ? `whole-${message.nextIndex}` : message.nextIndex
  const events: Out = []
  const block = openBlock(events, raw, `${messageId}:${index}`, raw)
  closeBlock(events, block)
  message.nextIndex += 1
  // What is drawn names its message, because another message may have begun.
  for (const event of events) {
    if (event.type === 'tool-start') out.push({ ...fromAgent(event), messageId })
    else out.push(event.type === 'block-start' ? { ...event, messageId } : event)
  }
  return block.kind === 'prose' ? block.id : undefined
}
