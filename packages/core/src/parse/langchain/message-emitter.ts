import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { JsonObject } from '../../json.ts'
import { metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { mentions } from './calls.ts'
import { type Content, type Emit, isProse } from './content.ts'
import { type ContentPart, contentPartsOf, type Prose } from './content-parts.ts'
import {
  addDetails,
  addUsage,
  type Block,
  closeMessage,
  createMessageIndex,
  type EmittedMessage,
  type GraphScope,
  isBlank,
  modelOf,
  newEmittedMessage,
  type Opening,
  openMessage,
} from './emitted-message.ts'
import type { LangMessage } from './message.ts'
import { lengthOf } from './prose.ts'

/** Where a message came from, and what came beside it. */
export interface MessageOrigin {
  readonly scope: GraphScope
  readonly opening?: Opening
  /** The task that runs the model. Of two messages of one task, the first has ended when the second begins. */
  readonly task?: string | undefined
  /** Whether a task has one message only, whatever ids its chunks have. */
  readonly isOneMessage?: boolean
  /** Fields of the record beside the message. */
  readonly metadata?: JsonObject | undefined
}

/** An id that LangChain generates for a run until the provider's own id is known. */
const RUN_ID = /^(?:lc_)?run-/

/** The most messages that are open at once, so that an endless stream does not exhaust memory. */
const MAX_OPEN = 256

/** The id of a removal of all messages. */
const ALL = '__remove_all__'

/** Emits each message once, however often and in whatever form a stream repeats it. */
export function createMessageEmitter(content: Content) {
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
  function openNext(out: Out, emitted: EmittedMessage, origin: MessageOrigin, message?: LangMessage): void {
    const [oldest] = open
    const isFull = open.size === MAX_OPEN
    for (const other of open) if (isOver(other, emitted, origin.task) || (isFull && other === oldest)) end(out, other)
    emitted.task = origin.task
    open.add(emitted)
    if (emitted.role === 'assistant' && emitted.scope.agent.agentId === undefined) last = emitted
    openMessage(out, emitted, { ...origin.opening, model: (message && modelOf(message)) ?? origin.opening?.model })
    // The metadata of its first record.
    if (!emitted.wasOpened) out.push(...metadata(origin.metadata ?? {}, emitted.fields))
    emitted.wasOpened = true
  }

  function end(out: Out, emitted: EmittedMessage): void {
    if (open.delete(emitted)) closeMessage(out, emitted)
  }

  function endWhere(out: Out, isAffected: (emitted: EmittedMessage) => boolean): void {
    for (const emitted of open) if (isAffected(emitted)) end(out, emitted)
  }

  /** The open message of a task. */
  function openMessageOf({ scope, task }: MessageOrigin): EmittedMessage | undefined {
    for (const emitted of open) if (emitted.scope.key === scope.key && emitted.task === task) return emitted
    return undefined
  }

  /** The message of a chunk. A chunk with a new id may continue the open message of its task. */
  function streamedMessage({ id, role }: LangMessage, origin: MessageOrigin): EmittedMessage {
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
    { role, toolCalls }: LangMessage,
    { key }: GraphScope,
    parts: readonly ContentPart[],
  ): EmittedMessage | undefined {
    const firstCall = toolCalls[0]?.id
    const length = textLength(parts.filter(isProse))
    const isSameContent = (emitted: EmittedMessage) =>
      firstCall === undefined
        ? emitted.calls.length === 0 && length > 0 && textLength(emitted.blocks) === length
        : emitted.calls[0]?.callId === firstCall
    return [...open].find(
      (emitted) => emitted.scope.key === key && !emitted.isWhole && emitted.role === role && isSameContent(emitted),
    )
  }

  /** Emits the content of a message. Opens it, unless it was emitted before and has nothing new. */
  function emitContent(
    out: Out,
    emitted: EmittedMessage,
    message: LangMessage,
    origin: MessageOrigin,
    emit: Emit,
    parts = contentPartsOf(message),
  ): void {
    if (open.has(emitted)) emit(out, emitted, message, parts)
    else {
      const isNew = isBlank(emitted)
      const added: Out = []
      emit(added, emitted, message, parts)
      if (isNew || added.length > 0) openNext(out, emitted, origin, message)
      out.push(...added)
    }
    addDetails(out, emitted, message)
  }

  /** Retracts a removed message. Removing all messages only shortens the memory of a graph, so they stay. */
  function retract(out: Out, { id }: LangMessage, scope: GraphScope): void {
    const removed = messages.find(scope, id)
    if (id === ALL) out.push({ type: 'status', message: 'The conversation was shortened', level: 'info' })
    else if (removed !== undefined && removed.scope.agent.agentId === undefined)
      out.push({ type: 'message-retract', messageIds: [removed.messageId] })
  }

  /** A message from beginning to end. */
  function whole(out: Out, message: LangMessage, origin: MessageOrigin): void {
    if (message.role === 'tool') content.calls.answerWith(out, origin.scope, message)
    else if (message.role === 'remove') retract(out, message, origin.scope)
    else wholeProse(out, message, message.role, origin)
  }

  function wholeProse(out: Out, message: LangMessage, role: Role, origin: MessageOrigin): void {
    const { scope } = origin
    const { id, usage } = message
    const parts = contentPartsOf(message)
    const streaming = origin.isOneMessage ? openMessageOf(origin) : undefined
    const emitted = streaming ?? messages.findRelated(scope, message) ?? findRenamed(message, scope, parts)
    if (emitted?.isWhole) return
    if (scope.agent.agentId !== undefined && role !== 'assistant') {
      add(scope, id, role).isWhole = true
      addSubagentInput(out, scope, message)
      return
    }
    const target = emitted ?? add(scope, id, role)
    if (id !== undefined && emitted !== undefined) messages.add(scope, id, emitted)
    if (id === undefined) messages.addNameless(scope, message, target)
    target.isWhole = true
    emitContent(out, target, message, origin, content.whole, parts)
    if (usage !== undefined) addUsage(out, target, usage, true)
    end(out, target)
  }

  /** A chunk of a message of the assistant. */
  function chunk(out: Out, message: LangMessage, origin: MessageOrigin): void {
    const emitted = streamedMessage(message, origin)
    emitContent(out, emitted, message, origin, content.more)
    const isCounted = message.usage !== undefined && addUsage(out, emitted, message.usage, false)
    // Some models count their input first. Counts that come after content are final.
    if (isCounted && !isBlank(emitted)) emitted.isFinished = true
    if (message.isLast) end(out, emitted)
  }

  /** The whole of a message of the assistant so far. */
  function soFar(out: Out, message: LangMessage, origin: MessageOrigin): void {
    const emitted = messages.find(origin.scope, message.id) ?? add(origin.scope, message.id, 'assistant')
    if (emitted.isWhole) return
    emitContent(out, emitted, message, origin, content.soFar)
    if (message.usage !== undefined) addUsage(out, emitted, message.usage, true)
  }

  /** Only messages of the assistant are streamed. */
  const ifStreamed =
    (emit: typeof whole): typeof whole =>
    (out, message, origin) =>
      (message.role === 'assistant' ? emit : whole)(out, message, origin)

  return {
    chunk: ifStreamed(chunk),
    soFar: ifStreamed(soFar),
    whole,
    /** The message with this id, or a new one that is opened for it. */
    begin(out: Out, id: string | undefined, role: Role, origin: MessageOrigin): EmittedMessage {
      const emitted = messages.find(origin.scope, id) ?? add(origin.scope, id, role)
      if (!open.has(emitted)) openNext(out, emitted, origin)
      return emitted
    },
    end,
    /** Ends the open messages of a scope. */
    endAll: (out: Out, { key }: GraphScope) => endWhere(out, ({ scope }) => scope.key === key),
    /** Ends the open messages that are complete. */
    endFinished: (out: Out) => endWhere(out, isComplete),
    /** Whether the main agent's last message has tool calls without an output. */
    isWaitingForTools: () => last?.calls.some((call) => !call.isAnswered && call.runBy === 'agent') ?? false,
    /** Whether an open message of the assistant is not complete. */
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

const textLength = (parts: readonly (Prose | Block)[]) => lengthOf(parts.filter(({ kind }) => kind === 'text'))

/** A message to a subagent. Its task is not emitted again. */
function addSubagentInput(out: Out, { task, call, agent }: GraphScope, { id, role, content }: LangMessage): void {
  if (content === task || content === '') return
  if (typeof content === 'string' && call !== undefined && mentions(call, content)) return
  out.push({ type: 'data', name: `${role}-message`, data: content, ...agent, ...present({ id }) })
}
