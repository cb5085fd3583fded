import { present } from '../../data/present.ts'
import type { BlockKind, BlockVariant, Role } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Call } from './calls.ts'
import type { Counts } from './usage.ts'

/** The graph of a message: the main one, or one inside it. */
export interface GraphScope {
  /** Identifies the scope; empty for the main agent. */
  readonly key: string
  readonly agentId: string | undefined
  /** The call that the agent runs for. */
  readonly call?: Call | undefined
  /** The task of the agent, which its start holds, so that its first message need not be emitted. */
  readonly task?: string | undefined
}

export const MAIN: GraphScope = { key: '', agentId: undefined }

export interface Block {
  readonly id: string
  readonly kind: BlockKind
  readonly variant: BlockVariant | undefined
  readonly key: string
  /** The length of its text that was emitted. */
  length: number
  isOpen: boolean
}

/** A message as far as it was emitted. Streams send it in chunks and then whole, more than once. */
export interface EmittedMessage {
  readonly messageId: string
  readonly scope: GraphScope
  readonly role: Role
  readonly blocks: Block[]
  readonly byKey: Map<string, Block>
  readonly calls: Call[]
  current: Block | undefined
  usage: Counts
  reason: string | undefined
  /** The names of the details that were emitted. */
  readonly details: Set<string>
  /** The task that runs its model. */
  task: string | undefined
  files: number
  /** Its content is complete, though it may still be open. */
  isFinished: boolean
  isOpen: boolean
  /** The whole message was read. */
  isWhole: boolean
}

export function newEmittedMessage(messageId: string, scope: GraphScope, role: Role): EmittedMessage {
  return {
    messageId,
    scope,
    role,
    blocks: [],
    byKey: new Map(),
    calls: [],
    current: undefined,
    usage: {},
    reason: undefined,
    details: new Set(),
    task: undefined,
    files: 0,
    isFinished: false,
    isOpen: false,
    isWhole: false,
  }
}

/** Details of a message at its start. */
export interface Opening {
  readonly model?: string | undefined
  readonly node?: string | undefined
  readonly step?: number | undefined
}

/** The fields that assign an event to its message and agent. */
export function eventScopeOf({ messageId, scope }: EmittedMessage): {
  readonly messageId: string
  readonly agentId?: string
} {
  return scope.agentId === undefined ? { messageId } : { messageId, agentId: scope.agentId }
}

/** Opens a message that is not open. */
export function openMessage(emitted: EmittedMessage, { model, node, step }: Opening): StreamEvent[] {
  emitted.isOpen = true
  const agent = present({ agentId: emitted.scope.agentId })
  const start: EventOf<'message-start'> = {
    type: 'message-start',
    ...eventScopeOf(emitted),
    role: emitted.role,
    ...(emitted.role === 'assistant' && present({ model })),
  }
  if (emitted.role !== 'assistant') return [start]
  return [start, { type: 'step-start', kind: 'model', ...agent, ...present({ name: node, number: step }) }]
}

/** Ends a message and everything open in it. */
export function closeMessage(emitted: EmittedMessage): StreamEvent[] {
  if (!emitted.isOpen) return []
  const agent = present({ agentId: emitted.scope.agentId })
  const events = [...closeBlock(emitted), ...emitted.calls.flatMap(inputEvents)]
  if (emitted.role === 'assistant') events.push({ type: 'step-end', ...agent, ...present({ reason: emitted.reason }) })
  events.push({ type: 'message-end', ...eventScopeOf(emitted) })
  emitted.isOpen = false
  return events
}

export function closeBlock(emitted: EmittedMessage): StreamEvent[] {
  const block = emitted.current
  if (block === undefined) return []
  emitted.current = undefined
  block.isOpen = false
  return [{ type: 'block-end', blockId: block.id, ...present({ agentId: emitted.scope.agentId }) }]
}

/** The input of a call, once: the whole input, or none if it is assembled from its fragments. */
export function inputEvents(call: Call): StreamEvent[] {
  if (call.hasInput) return []
  call.hasInput = true
  const { callId, wholeInput, scope } = call
  const agent = present({ agentId: scope.agentId })
  if (typeof wholeInput === 'string' && call.error !== undefined)
    return [{ type: 'tool-input', callId, text: wholeInput, error: call.error, ...agent }]
  return [
    {
      type: 'tool-input',
      callId,
      ...agent,
      ...(wholeInput !== undefined && { input: wholeInput }),
    },
  ]
}
