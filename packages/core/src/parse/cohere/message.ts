import { present } from '../../data/present.ts'
import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { SILENT } from '../parser.ts'

/** The message being read: what its indices stand for, and what is open in it. */
export interface Message {
  readonly messageId: string
  /** Those that are open, by the key that names them in their message. */
  readonly blocks: Map<string, string>
  /** The keys of all that were begun. */
  readonly begun: Set<string>
  readonly calls: Map<number, string>
  readonly citations: Map<string, readonly Json[]>
  /** What is told once: searches, and the documents that were found or cited. */
  readonly told: Set<string>
  lastText: string | undefined
  /** The plan that is being told; whatever else begins closes it. */
  plan: string | undefined
  plans: number
  isOpen: boolean
  callCount: number
  reason: string | undefined
}

export function newMessage(messageId: string): Message {
  return {
    messageId,
    blocks: new Map(),
    begun: new Set(),
    calls: new Map(),
    citations: new Map(),
    told: new Set(),
    lastText: undefined,
    plan: undefined,
    plans: 0,
    isOpen: false,
    callCount: 0,
    reason: undefined,
  }
}

/** Begins a block; `key` names it among those of its message. */
export function startBlock(message: Message, key: string, kind: BlockKind, variant?: BlockVariant): StreamEvent[] {
  const blockId = `${message.messageId}:${key}`
  const before = closePlan(message)
  message.blocks.set(key, blockId)
  message.begun.add(key)
  if (kind === 'text') message.lastText = blockId
  return [...before, { type: 'block-start', blockId, kind, ...present({ variant }) }]
}

export function endBlock(message: Message, key: string): StreamEvent[] {
  const blockId = message.blocks.get(key)
  message.blocks.delete(key)
  return blockId === undefined ? [] : [{ type: 'block-end', blockId }]
}

/** What the model plans to do with its tools, in words. */
export function tellPlan(message: Message, text: string): StreamEvent[] {
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

/** Starts a call of the caller's tools. */
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

/** Closes all that the message left open, and the message. One without an end of its own was cut off. */
export function endMessage(message: Message, isCut: boolean): StreamEvent[] {
  if (!message.isOpen) return []
  const plan = closePlan(message)
  const blocks = [...message.blocks.keys()].flatMap((key) => endBlock(message, key))
  const inputs = [...message.calls.values()].map((callId): StreamEvent => ({ type: 'tool-input', callId }))
  message.calls.clear()
  message.isOpen = false
  return [
    ...plan,
    ...blocks,
    ...inputs,
    { type: 'step-end', ...present({ reason: message.reason }) },
    { type: 'message-end', messageId: message.messageId, ...(isCut && { interrupted: true }) },
  ]
}
