import { present } from '../../data/present.ts'
import type { BlockKind, Role } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Call } from './calls.ts'
import type { Counts } from './usage.ts'

/** Where a message was said: by the main agent, or in a graph that runs inside its own. */
export interface Scope {
  /** Tells scopes apart; the main agent's is empty. */
  readonly key: string
  readonly agentId: string | undefined
  /** The call that the agent runs for. */
  readonly call?: Call | undefined
  /** What the agent was asked to do: told at its start, so that its first message need not be. */
  readonly task?: string | undefined
}

export const MAIN: Scope = { key: '', agentId: undefined }

export interface Block {
  readonly id: string
  readonly kind: BlockKind
  readonly key: string
  /** How much of its text was told. */
  length: number
  isOpen: boolean
}

/** A message as far as it was told: streams say it in pieces, and then whole, more than once. */
export interface Told {
  readonly messageId: string
  readonly scope: Scope
  readonly role: Role
  readonly blocks: Block[]
  readonly byKey: Map<string, Block>
  readonly calls: Call[]
  current: Block | undefined
  usage: Counts
  reason: string | undefined
  /** The names of the details that were told. */
  readonly details: Set<string>
  /** What runs the model that says it. */
  task: string | undefined
  files: number
  /** It has said all that it has to say, though its end may not have been told. */
  isFinished: boolean
  isOpen: boolean
  /** Nothing of it is left to be told. */
  isWhole: boolean
}

export function newTold(messageId: string, scope: Scope, role: Role): Told {
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

/** What the start of a message says of it. */
export interface Opening {
  readonly model?: string | undefined
  readonly node?: string | undefined
  readonly step?: number | undefined
}

/** The fields that place an event in its message. */
export function placeOf({ messageId, scope }: Told): { readonly messageId: string; readonly agentId?: string } {
  return scope.agentId === undefined ? { messageId } : { messageId, agentId: scope.agentId }
}

export function openMessage(told: Told, { model, node, step }: Opening): StreamEvent[] {
  if (told.isOpen) return []
  told.isOpen = true
  const agent = present({ agentId: told.scope.agentId })
  const start: EventOf<'message-start'> = {
    type: 'message-start',
    ...placeOf(told),
    role: told.role,
    ...(told.role === 'assistant' && present({ model })),
  }
  if (told.role !== 'assistant') return [start]
  return [start, { type: 'step-start', kind: 'model', ...agent, ...present({ name: node, number: step }) }]
}

/** Ends a message: no more of it is expected. */
export function closeMessage(told: Told): StreamEvent[] {
  if (!told.isOpen) return []
  const agent = present({ agentId: told.scope.agentId })
  const events = [...closeBlock(told), ...told.calls.flatMap(inputEvents)]
  if (told.role === 'assistant') events.push({ type: 'step-end', ...agent, ...present({ reason: told.reason }) })
  events.push({ type: 'message-end', ...placeOf(told) })
  told.isOpen = false
  return events
}

export function closeBlock(told: Told): StreamEvent[] {
  const block = told.current
  if (block === undefined) return []
  told.current = undefined
  block.isOpen = false
  return [{ type: 'block-end', blockId: block.id, ...present({ agentId: told.scope.agentId }) }]
}

/** The input of a call, once: as it was given, or left to be put together from its fragments. */
export function inputEvents(call: Call): StreamEvent[] {
  if (call.hasInput) return []
  call.hasInput = true
  const { callId, given, scope } = call
  const agent = present({ agentId: scope.agentId })
  if (typeof given === 'string' && call.error !== undefined)
    return [{ type: 'tool-input', callId, text: given, error: call.error, ...agent }]
  return [{ type: 'tool-input', callId, ...agent, ...(call.length === 0 && given !== undefined && { input: given }) }]
}
