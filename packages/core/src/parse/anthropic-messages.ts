import { present } from '../data/present.ts'
import { remember } from '../data/remember.ts'
import type { StreamEvent } from '../events.ts'
import { closeBlock, type OpenBlock, type Opened, openBlock } from './anthropic-messages/blocks.ts'
import { type CallNames, createCallNames } from './anthropic-messages/call-names.ts'
import { deltas, impliedBlocks } from './anthropic-messages/deltas.ts'
import { keep, mergeUsage, metadata, usageEvents } from './anthropic-messages/details.ts'
import type { AnyToolUse, Block, Details, RawEvent, RawUsage } from './anthropic-messages/raw.ts'
import { recognize } from './anthropic-messages/recognize.ts'
import { isToolResult } from './anthropic-messages/results.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** Anthropic Messages, streamed or whole. One stream may hold several messages: the turns of an agent's loop. */
export const anthropicMessages: Parser = {
  version: 2,
  losses: {
    'other-roles': 'Only the model speaks in a response.',
    retract: 'A message that has begun stays.',
    rewrite: 'Text only grows.',
    'tool-progress': 'The results of tools arrive whole.',
    'agent-tool-output': 'The results of tools that the agent runs go into the next request.',
    approvals: 'The program that runs the tools asks for approval.',
    'subagent-content': 'The content of a subagent is in responses of its own.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'User input goes into the next request.',
    errors: 'Every error ends the stream.',
    times: 'No record carries a time.',
  },
  recognize,
  create: () => createMessages(createCallNames()),
}

/** The message being read. Indices count from 0 in each message, so its blocks are kept with it. */
interface OpenMessage {
  readonly messageId: string
  /** The prefix of the ids of its blocks: its own id, made unique if the run has that id twice. */
  readonly prefix: string
  readonly names: CallNames
  readonly blocks: Map<number, OpenBlock>
  /** Calls without a result. */
  readonly unanswered: Set<string>
  isOpen: boolean
  usage: RawUsage
  stopReason?: string | undefined
}

export function createMessages(names: CallNames): ParserState {
  const timesSeen = new Map<string, number>()
  let count = 0
  let message = newMessage('message-0', 0, names)
  let ending: 'none' | 'stopped' | 'failed' = 'none'

  const handlers: Handlers<RawEvent> = {
    message_start({ message: raw }) {
      const messageId = raw.id ?? `message-${count + 1}`
      const next = newMessage(messageId, timesSeen.get(messageId) ?? 0, names)
      const model = present({ model: raw.model })
      const events: StreamEvent[] = [
        ...(count === 0 ? [{ type: 'run-start' as const, ...model }] : endMessage(message)),
        { type: 'message-start', messageId, role: 'assistant', ...model },
        { type: 'step-start', kind: 'model' },
        ...readDetails(next, raw, raw.usage),
        ...(raw.content ?? []).flatMap((block, index) => wholeBlock(next, index, block)),
      ]
      remember(timesSeen, messageId, (timesSeen.get(messageId) ?? 0) + 1)
      count += 1
      message = next
      message.isOpen = true
      ending = 'none'
      return events
    },
    content_block_start: (raw) => startBlock(message, raw.index, raw.content_block, raw).events,
    content_block_delta(raw) {
      const { index, delta } = raw
      const row = deltas.get(delta.type)
      if (row === undefined) return unmapped(raw)
      const block = message.blocks.get(index)
      if (block !== undefined) return row(delta, block) ?? unmapped(raw)
      const implied = impliedBlocks[delta.type]
      if (implied === undefined) return unmapped(raw)
      const opened = startBlock(message, index, implied, raw)
      return [...opened.events, ...(row(delta, opened.block) ?? [])]
    },
    content_block_stop(raw) {
      const block = message.blocks.get(raw.index)
      if (block === undefined) return unmapped(raw)
      message.blocks.delete(raw.index)
      return closeBlock(block)
    },
    message_delta({ delta, usage, type: _, ...otherFields }) {
      const events = readDetails(message, { ...otherFields, ...present(delta ?? {}) }, usage)
      return hasDetail({ ...otherFields, ...delta }) ? understood(events) : events
    },
    message_stop({ type: _, ...metrics }) {
      const events = [...metadata(metrics), ...endMessage(message)]
      message.isOpen = false
      if (ending !== 'failed') ending = 'stopped'
      return understood(events)
    },
    ping: () => SILENT,
    error({ error, request_id }) {
      const { type: code, message: errorMessage } =
        typeof error === 'string' ? { type: undefined, message: error } : (error ?? {})
      ending = 'failed'
      return [
        {
          type: 'run-end',
          outcome: 'error',
          error: { message: errorMessage || 'An error occurred', ...present({ code }) },
          ...keep({ request_id: request_id ?? undefined }),
        },
      ]
    },
    message(raw, record) {
      if (raw.role !== 'assistant' || !Array.isArray(raw.content)) return unmapped(raw)
      const start = handlers.message_start({ type: 'message_start', message: raw }, record)
      return [...start, ...handlers.message_stop({ type: 'message_stop' }, record)]
    },
  }

  return {
    push: dispatch(handlers),
    end() {
      if (message.isOpen || ending !== 'stopped') return []
      const { stopReason: reason, unanswered } = message
      const outcome = reason === 'tool_use' && unanswered.size > 0 ? 'awaiting-input' : 'success'
      return [{ type: 'run-end', outcome, ...present({ reason }) }]
    },
  }
}

function newMessage(messageId: string, timesSeen: number, names: CallNames): OpenMessage {
  return {
    messageId,
    names,
    prefix: timesSeen === 0 ? messageId : `${messageId}#${timesSeen + 1}`,
    blocks: new Map(),
    unanswered: new Set(),
    isOpen: false,
    usage: {},
  }
}

function endMessage({ isOpen, messageId, stopReason }: OpenMessage): StreamEvent[] {
  if (!isOpen) return []
  return [
    { type: 'step-end', ...present({ reason: stopReason }) },
    { type: 'message-end', messageId },
  ]
}

function startBlock(message: OpenMessage, index: number, raw: Block, record: unknown): Opened {
  if (typeof index !== 'number') throw new TypeError('A block has no index.')
  const opened = openBlock(named(message.names, raw), `${message.prefix}:${index}`, record)
  message.blocks.set(index, opened.block)
  for (const event of opened.events) {
    if (event.type === 'tool-start') message.unanswered.add(event.callId)
    if (event.type === 'tool-output') message.unanswered.delete(event.callId)
  }
  return opened
}

/** The block with the id that its call has in the run. */
function named(names: CallNames, raw: Block): Block {
  if (isToolResult(raw)) return { ...raw, tool_use_id: names.answer(raw.tool_use_id) } as Block
  return isToolUse(raw) && typeof raw.id === 'string' ? { ...raw, id: names.start(raw.id) } : raw
}

function isToolUse(raw: Block): raw is Block & AnyToolUse {
  return raw.type === 'tool_use' || raw.type === 'server_tool_use' || raw.type === 'mcp_tool_use'
}

/** A block of a message that was not streamed. */
function wholeBlock(message: OpenMessage, index: number, raw: Block): StreamEvent[] {
  const { block, events } = startBlock(message, index, raw, raw)
  message.blocks.delete(index)
  return [...events, ...closeBlock(block)]
}

/** Usage, the stop reason and other details of the message; an absent or `null` field changes nothing. */
function readDetails(message: OpenMessage, details: Details, usage: RawUsage | null | undefined): StreamEvent[] {
  const {
    stop_reason,
    stop_sequence,
    stop_details,
    container,
    context_management,
    input_transformations,
    diagnostics,
  } = details
  const merged = mergeUsage(message.usage, usage)
  const events = [
    ...(usage ? usageEvents(merged) : []),
    ...metadata({ stop_sequence, stop_details, container, context_management, input_transformations, diagnostics }),
  ]
  message.usage = merged
  message.stopReason = stop_reason ?? message.stopReason
  return events
}

const DETAILS: readonly (keyof Details)[] = [
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'container',
  'context_management',
  'input_transformations',
  'diagnostics',
]

/** Whether one of the details is present, even as `null`: such a change of a message is understood. */
function hasDetail(details: Details): boolean {
  return DETAILS.some((field) => details[field] !== undefined)
}
