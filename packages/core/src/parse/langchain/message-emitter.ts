import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import type { Calls } from './calls.ts'
import { emitMore, emitSoFar, emitWhole } from './content.ts'
import { type ContentPart, contentPartsOf } from './content-parts.ts'
import { detailEvents, metadataEvents, modelOf } from './details.ts'
import {
  closeMessage,
  type EmittedMessage,
  type GraphScope,
  newEmittedMessage,
  type Opening,
  openMessage,
} from './emitted-message.ts'
import type { LangMessage } from './message.ts'
import { createMessageIndex } from './message-index.ts'
import { retractEvents, subagentInputEvents, toolEvents } from './others.ts'
import { addUsage, raiseUsage } from './usage.ts'

/** Where a message came from, and what came beside it. */
export interface MessageOrigin {
  readonly scope: GraphScope
  readonly opening: Opening
  /** The task that runs the model. Of two messages of one task, the first has ended when the second begins. */
  readonly task?: string | undefined
  /** Whether a task has one message only, whatever ids its chunks have. */
  readonly isOneMessage?: boolean
  /** Fields of the record beside the message. */
  readonly metadata?: JsonObject | undefined
}

/** Emits each message once, however often and in whatever form a stream repeats it. */
export interface MessageEmitter {
  /** A chunk of a message. */
  chunk(message: LangMessage, origin: MessageOrigin): StreamEvent[]
  /** The whole of a message so far. */
  soFar(message: LangMessage, origin: MessageOrigin): StreamEvent[]
  /** A message from beginning to end. */
  whole(message: LangMessage, origin: MessageOrigin): StreamEvent[]
  /** The message with this id, or a new one that is opened for it. */
  begin(
    id: string | undefined,
    role: Role,
    origin: MessageOrigin,
  ): { readonly emitted: EmittedMessage; readonly events: StreamEvent[] }
  end(emitted: EmittedMessage): StreamEvent[]
  /** The message with this id; undefined if there is none. */
  find(scope: GraphScope, id: string | undefined): EmittedMessage | undefined
  /** Ends the open messages of a scope. */
  endAll(scope: GraphScope): StreamEvent[]
  /** Ends the open messages that are complete. */
  endFinished(): StreamEvent[]
  /** Whether an open message of the assistant is not complete. */
  isInTheMiddle(): boolean
  /** Whether the main agent's last message has tool calls without an output. */
  isWaitingForTools(): boolean
}

/** An id that LangChain generates for a run until the provider's own id is known. */
const RUN_ID = /^(?:lc_)?run-/

/** The most messages that are open at once, so that an endless stream does not exhaust memory. */
const MAX_OPEN = 256

/** Marks, among the details of a message, that the metadata of its first record was emitted. */
const RECORD = ''

export function createMessageEmitter(calls: Calls): MessageEmitter {
  const messages = createMessageIndex()
  const open = new Set<EmittedMessage>()
  let minted = 0
  let last: EmittedMessage | undefined

  function add(scope: GraphScope, id: string | undefined, role: Role): EmittedMessage {
    const messageId = id ?? `message-${++minted}`
    const emitted = newEmittedMessage(messageId, scope, role)
    messages.add(scope, messageId, emitted)
    return emitted
  }

  /** Opens a message, and ends those that are over. */
  function ensureOpen(emitted: EmittedMessage, origin: MessageOrigin, message?: LangMessage): StreamEvent[] {
    if (emitted.isOpen) return []
    const [oldest] = open
    const before = [...open].filter(
      (other) => isOver(other, emitted, origin.task) || (open.size === MAX_OPEN && other === oldest),
    )
    const events = before.flatMap(end)
    emitted.task = origin.task
    open.add(emitted)
    if (emitted.role === 'assistant' && emitted.scope.agentId === undefined) last = emitted
    const model = (message && modelOf(message)) ?? origin.opening.model
    const isFirst = !emitted.details.has(RECORD)
    emitted.details.add(RECORD)
    return [
      ...events,
      ...openMessage(emitted, { ...origin.opening, model }),
      ...(isFirst && origin.metadata !== undefined ? metadataEvents(emitted, origin.metadata) : []),
    ]
  }

  function end(emitted: EmittedMessage): StreamEvent[] {
    open.delete(emitted)
    return closeMessage(emitted)
  }

  /** The open message of a task. */
  function openMessageOf({ scope, task }: MessageOrigin): EmittedMessage | undefined {
    for (const emitted of open) if (emitted.scope.key === scope.key && emitted.task === task) return emitted
    return undefined
  }

  /** The message of a chunk. A chunk with a new id may continue the open message of its task. */
  function streamedMessage(message: LangMessage, origin: MessageOrigin): EmittedMessage {
    const { id, role } = message
    const { scope, isOneMessage } = origin
    const same = (isOneMessage ? openMessageOf(origin) : undefined) ?? messages.find(scope, id)
    if (same !== undefined) return same
    const current = openMessageOf(origin)
    const isRenamed = id === undefined || (RUN_ID.test(current?.messageId ?? '') && !RUN_ID.test(id))
    if (current === undefined || current.role !== role || !isRenamed) return add(scope, id, 'assistant')
    if (id !== undefined) messages.add(scope, id, current)
    return current
  }

  /** The open message that a whole message with another id repeats. */
  function findRenamed(
    message: LangMessage,
    scope: GraphScope,
    parts: readonly ContentPart[],
  ): EmittedMessage | undefined {
    for (const emitted of open) {
      if (emitted.scope.key !== scope.key || emitted.isWhole || emitted.role !== message.role) continue
      const firstCall = message.toolCalls[0]?.id
      const isSameCall = firstCall !== undefined && emitted.calls[0]?.callId === firstCall
      const isSameText =
        firstCall === undefined && emitted.calls.length === 0 && textLength(parts) === emittedLength(emitted)
      if (isSameCall || (isSameText && emittedLength(emitted) > 0)) return emitted
    }
    return undefined
  }

  /** Emits the content of a message. Opens it, unless it was emitted before and has nothing new. */
  function emitContent(
    emitted: EmittedMessage,
    message: LangMessage,
    origin: MessageOrigin,
    emit: (parts: readonly ContentPart[]) => StreamEvent[],
  ) {
    const isNew = emitted.blocks.length === 0 && emitted.calls.length === 0
    const events = emit(contentPartsOf(message))
    const before = isNew || events.length > 0 ? ensureOpen(emitted, origin, message) : []
    return [...before, ...events, ...detailEvents(emitted, message)]
  }

  return {
    chunk(message, origin) {
      if (message.role !== 'assistant') return this.whole(message, origin)
      const emitted = streamedMessage(message, origin)
      const events = emitContent(emitted, message, origin, (parts) => emitMore(calls, emitted, message, parts))
      const usage = addUsage(emitted, message.usage)
      // Some models count their input first. Counts that come after content are final.
      emitted.isFinished ||= usage.length > 0 && (emitted.blocks.length > 0 || emitted.calls.length > 0)
      return message.isLast ? [...events, ...usage, ...end(emitted)] : [...events, ...usage]
    },
    soFar(message, origin) {
      if (message.role !== 'assistant') return this.whole(message, origin)
      const emitted = messages.find(origin.scope, message.id) ?? add(origin.scope, message.id, 'assistant')
      if (emitted.isWhole) return []
      const events = emitContent(emitted, message, origin, (parts) => emitSoFar(calls, emitted, message, parts))
      return [...events, ...raiseUsage(emitted, message.usage)]
    },
    whole(message, origin) {
      const { scope } = origin
      if (message.role === 'tool') return toolEvents(calls, scope, message)
      if (message.role === 'remove') return retractEvents(messages.find(scope, message.id), message)
      const parts = contentPartsOf(message)
      const streaming = origin.isOneMessage ? openMessageOf(origin) : undefined
      const emitted = streaming ?? messages.findRelated(scope, message) ?? findRenamed(message, scope, parts)
      if (emitted?.isWhole) return []
      if (scope.agentId !== undefined && message.role !== 'assistant') {
        return subagentInputEvents(add(scope, message.id, message.role), message)
      }
      const target = emitted ?? add(scope, message.id, message.role)
      if (message.id !== undefined && emitted !== undefined) messages.add(scope, message.id, emitted)
      if (message.id === undefined) messages.addNameless(scope, message, target)
      target.isWhole = true
      const events = emitContent(target, message, origin, () => emitWhole(calls, target, message, parts))
      return [...events, ...raiseUsage(target, message.usage), ...end(target)]
    },
    begin(id, role, origin) {
      const emitted = messages.find(origin.scope, id) ?? add(origin.scope, id, role)
      return { emitted, events: ensureOpen(emitted, origin) }
    },
    end,
    find: (scope, id) => messages.find(scope, id),
    endAll: (scope) => [...open].filter((emitted) => emitted.scope.key === scope.key).flatMap(end),
    endFinished: () => [...open].filter(isComplete).flatMap(end),
    isWaitingForTools: () => last?.calls.some((call) => !call.isAnswered && call.runBy === 'agent') ?? false,
    isInTheMiddle: () => [...open].some((emitted) => emitted.role === 'assistant' && !isComplete(emitted)),
  }
}

/** Whether a message has ended when another one of its scope begins. */
function isOver(emitted: EmittedMessage, next: EmittedMessage, task: string | undefined): boolean {
  if (emitted.scope.key !== next.scope.key || emitted === next) return false
  return emitted.task === task || isComplete(emitted)
}

function isComplete(emitted: EmittedMessage): boolean {
  return emitted.isFinished || emitted.reason !== undefined || emitted.calls.some((call) => call.isAnswered)
}

function textLength(parts: readonly ContentPart[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0)
}

function emittedLength({ blocks }: EmittedMessage): number {
  return blocks.reduce((sum, block) => sum + (block.kind === 'text' ? block.length : 0), 0)
}
