import { present } from '../../data/present.ts'
import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { SILENT } from '../parser.ts'
import type { RawUsage } from './raw.ts'

/** The message that is being read: what its indices stand for, and what is open in it. */
export interface Message {
  readonly messageId: string
  /** The ids of the open blocks, by their key within the message. */
  readonly blocks: Map<string, string>
  /** The keys of all blocks that were begun. */
  readonly begunKeys: Set<string>
  readonly calls: Map<number, string>
  readonly citations: Map<string, readonly Json[]>
  /** The ids of what is emitted once: searches, and documents that were found or cited. */
  readonly emittedIds: Set<string>
  lastText?: string
  /** The key of the open plan. Anything else that begins closes it. */
  plan?: string | undefined
  plans: number
  isOpen: boolean
  callCount: number
  reason?: string | undefined
}

export function newMessage(messageId: string): Message {
  return {
    messageId,
    blocks: new Map(),
    begunKeys: new Set(),
    calls: new Map(),
    citations: new Map(),
    emittedIds: new Set(),
    plans: 0,
    isOpen: false,
    callCount: 0,
  }
}

/** Begins a block; `key` identifies it within its message. */
export function startBlock(message: Message, key: string, kind: BlockKind, variant?: BlockVariant): StreamEvent[] {
  const blockId = `${message.messageId}:${key}`
  const before = closePlan(message)
  message.blocks.set(key, blockId)
  message.begunKeys.add(key)
  if (kind === 'text') message.lastText = blockId
  return [...before, { type: 'block-start', blockId, kind, ...present({ variant }) }]
}

export function endBlock(message: Message, key: string): StreamEvent[] {
  const blockId = message.blocks.get(key)
  message.blocks.delete(key)
  return blockId === undefined ? [] : [{ type: 'block-end', blockId }]
}

/** Adds text to what the model plans to do with its tools. */
export function addPlan(message: Message, text: string): StreamEvent[] {
  if (text === '') return []
  const { plan } = message
  if (plan !== undefined) return [{ type: 'block-delta', blockId: `${message.messageId}:${plan}`, text }]
  const key = `plan-${message.plans}`
  const start = startBlock(message, key, 'reasoning', 'plan')
  message.plans += 1
  message.plan = key
  return [...start, { type: 'block-delta', blockId: `${message.messageId}:${key}`, text }]
}

export function closePlan(message: Message): StreamEvent[] {
  const { plan } = message
  message.plan = undefined
  return plan === undefined ? [] : endBlock(message, plan)
}

/** Starts a call of a tool that the caller runs. */
export function startCall(message: Message, index: number, callId: string, name: string): StreamEvent[] {
  const before = closePlan(message)
  message.calls.set(index, callId)
  message.callCount += 1
  const start: EventOf<'tool-start'> = { type: 'tool-start', callId, name, runBy: 'client' }
  return [...before, start]
}

export function inputDelta(callId: string, text: string | null | undefined): readonly StreamEvent[] {
  if (text === '') return SILENT
  return text ? [{ type: 'tool-input-delta', callId, text }] : []
}

/** Closes the message and everything open in it. A message without an end in the stream was cut off. */
export function endMessage(message: Message, isCut: boolean): StreamEvent[] {
  if (!message.isOpen) return []
  const plan = closePlan(message)
  const blocks = [...message.blocks.keys()].flatMap((key) => endBlock(message, key))
  const inputs = [...message.calls.values()].map((callId): StreamEvent => ({ type: 'tool-input', callId }))
  message.isOpen = false
  return [
    ...plan,
    ...blocks,
    ...inputs,
    { type: 'step-end', ...present({ reason: message.reason }) },
    { type: 'message-end', messageId: message.messageId, ...(isCut && { interrupted: true }) },
  ]
}

/** Counts the tokens that were used. The billed units are kept as meta. */
export function usageEvents(usage: RawUsage | null | undefined): StreamEvent[] {
  if (!usage) return []
  const { tokens, billed_units: billed, cached_tokens } = usage
  const counts = present({
    inputTokens: tokens?.input_tokens ?? billed?.input_tokens,
    outputTokens: tokens?.output_tokens ?? billed?.output_tokens,
    reasoningTokens: tokens?.reasoning_tokens,
    cacheReadTokens: cached_tokens,
  })
  if (Object.keys(counts).length === 0) return []
  const meta = billed ? { meta: { cohere: { billed_units: billed as { [kind: string]: Json } } } } : {}
  return [{ type: 'usage', scope: 'step', mode: 'snapshot', ...counts, ...meta }]
}
