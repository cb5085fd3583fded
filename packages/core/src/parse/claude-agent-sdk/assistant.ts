import type { StreamEvent } from '../../events.ts'
import { closeBlock, openBlock } from '../anthropic-messages/blocks.ts'
import { mergeUsage, usageEvents } from '../anthropic-messages/details.ts'
import type { AnyToolUse, Block } from '../anthropic-messages/raw.ts'
import { isToolResult } from '../anthropic-messages/results.ts'
import type { Calls } from './calls.ts'
import { fromAgent } from './calls.ts'
import { metadata } from './fields.ts'
import { markOf } from './lines.ts'
import type { AssistantLine } from './raw.ts'
import { patchEvents } from './streamed-blocks.ts'
import { begin, isModel, type Message, messageOf, type Thread } from './threads.ts'

export interface WholeLine {
  readonly events: readonly StreamEvent[]
  /** The prose blocks of the line, whether streamed before or emitted now. */
  readonly blockIds: readonly string[]
}

/** The events of a line whose blocks are whole. What was streamed of them is not emitted again. */
export function assistantEvents(thread: Thread, calls: Calls, raw: AssistantLine, messageId: string): WholeLine {
  const { id, model, usage, stop_reason } = raw.message
  const message = messageOf(thread, messageId)
  const blocks = withoutRepeated(message, blocksOf(raw)).map((block) =>
    readBlock(thread, calls, message, block, id ?? undefined),
  )
  const isNew = blocks.some((block) => !block.isRepeated)
  const { error, request_id, requestId } = raw
  const started = isNew ? begin(thread, messageId, { model, error, request_id: request_id ?? requestId }) : []
  const counts = isModel(model) || model === undefined ? JSON.stringify(usage ?? '') : ''
  const isCounted = !message.isStreamed && counts !== '' && counts !== '""' && counts !== message.usage
  const used = isCounted ? usageEvents(mergeUsage({}, usage)).map((event) => ({ ...event, messageId })) : []
  message.usage = counts
  message.stopReason = stop_reason ?? message.stopReason
  message.isCut ||= raw.aborted === true
  const events = blocks.flatMap((block) => block.events).map((event) => (raw.aborted ? withCut(event) : event))
  return {
    events: [...started, ...(isNew ? [...used, ...detailsOf(raw, messageId)] : []), ...events],
    blockIds: blocks.flatMap(({ blockId }) => (blockId === undefined ? [] : [blockId])),
  }
}

/** Details of the message beside its content. */
function detailsOf({ message }: AssistantLine, messageId: string): StreamEvent[] {
  const { stop_details, container, context_management, diagnostics } = message
  return metadata({ stop_details, container, context_management, diagnostics }).map((event) => ({
    ...event,
    messageId,
  }))
}

function blocksOf({ message: { content } }: AssistantLine): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
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

interface ReadBlock {
  readonly events: readonly StreamEvent[]
  readonly isRepeated: boolean
  readonly blockId?: string
}

const CALL_TYPES: ReadonlySet<string> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
const PROSE: ReadonlyMap<string, (block: Block) => string> = new Map([
  ['text', (block: Block) => (block as { text?: string }).text ?? ''],
  ['thinking', (block: Block) => (block as { thinking?: string }).thinking ?? ''],
  ['redacted_thinking', () => ''],
])

function readBlock(
  thread: Thread,
  calls: Calls,
  message: Message,
  block: Block,
  messageId: string | undefined,
): ReadBlock {
  const proseOf = PROSE.get(block.type)
  if (proseOf !== undefined) {
    const text = proseOf(block)
    const kind = block.type === 'redacted_thinking' ? 'redacted' : block.type
    const streamed = thread.streamed.claim(kind, text, messageId)
    const signature = block.type === 'thinking' ? block.signature : undefined
    if (streamed === undefined) return newBlock(message, block)
    return { events: patchEvents(streamed, text, signature), isRepeated: true, blockId: streamed.blockId }
  }
  if (CALL_TYPES.has(block.type)) return readCall(calls, message, block as AnyToolUse)
  if (isToolResult(block)) {
    const isRepeated = calls.get(block.tool_use_id)?.isAnswered ?? false
    return isRepeated ? { events: [], isRepeated } : newBlock(message, block as never)
  }
  return message.isStreamed ? { events: [], isRepeated: true } : newBlock(message, block)
}

/** A streamed call gets its whole input from this line, before its block ends. */
function readCall(calls: Calls, message: Message, block: AnyToolUse): ReadBlock {
  const call = typeof block.id === 'string' ? calls.get(block.id) : undefined
  if (call === undefined || typeof block.id !== 'string') return newBlock(message, block as Block)
  if (call.hasInput || call.isAnswered) return { events: [], isRepeated: true }
  const isEmpty = Object.keys((block.input ?? {}) as object).length === 0
  const input = isEmpty || block.input === undefined ? {} : { input: block.input }
  return { events: [{ type: 'tool-input', callId: block.id, ...input }], isRepeated: true }
}

function newBlock(message: Message, raw: Block): ReadBlock {
  // While a message is streamed, its next indexes belong to the stream.
  const index = message.isStreaming ? `whole-${message.nextIndex}` : message.nextIndex
  const { block, events } = openBlock(raw, `${message.messageId}:${index}`, raw)
  message.nextIndex += 1
  const all = [...events, ...closeBlock(block)].map((event) => (event.type === 'tool-start' ? fromAgent(event) : event))
  const scopedEvents = all.map((event) => withMessage(event, message.messageId))
  return { events: scopedEvents, isRepeated: false, ...(block.kind === 'prose' && { blockId: block.id }) }
}

/** Adds the message id to what is drawn, because another message may have begun. */
function withMessage(event: StreamEvent, messageId: string): StreamEvent {
  return event.type === 'block-start' || event.type === 'tool-start' ? { ...event, messageId } : event
}

function withCut(event: StreamEvent): StreamEvent {
  return event.type === 'block-end' ? { ...event, interrupted: true } : event
}
