import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Chunk } from '../wire.ts'

/** A message of the client while it is built. */
export type ListedMessage = { [field: string]: Json | undefined; id: string; role: string; metadata?: Json | undefined }

interface Call {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; arguments: string }
  metadata?: JsonObject
  encryptedValue?: Json
}

/** The client's list of messages, built from chunks by the client's own rules: law 11 compares the two. */
export interface MessageList {
  push(chunk: Chunk): void
  /** Adds a message that the client has sent. */
  add(message: ListedMessage): void
  messages(): readonly JsonObject[]
}

type Row = (chunk: Chunk) => void

export function createMessageList(): MessageList {
  const messages: ListedMessage[] = []
  const byId = new Map<string, ListedMessage>()
  const calls = new Map<string, { readonly call: Call; readonly owner: ListedMessage }>()

  function add(message: ListedMessage): void {
    messages.push(message)
    byId.set(message.id, message)
  }

  function begin(role: (chunk: Chunk) => string): Row {
    return (chunk) => {
      const id = String(chunk.messageId)
      if (!byId.has(id)) add({ id, role: role(chunk), content: '', ...agentOf(chunk) })
      learn(byId.get(id), chunk)
    }
  }

  const change: Row = (chunk) => {
    const message = byId.get(String(chunk.messageId))
    if (message === undefined) return
    if (chunk.delta !== undefined) message.content = `${message.content ?? ''}${chunk.delta}`
    learn(message, chunk)
  }

  function ownerOf({ parentMessageId, toolCallId, ...chunk }: Chunk): ListedMessage {
    const id = String(parentMessageId ?? toolCallId)
    const existing = byId.get(id)
    if (existing?.role === 'assistant') return existing
    const owner: ListedMessage = {
      id: existing === undefined ? id : String(toolCallId),
      role: 'assistant',
      ...agentOf(chunk),
    }
    add(owner)
    return owner
  }

  const startCall: Row = (chunk) => {
    const id = String(chunk.toolCallId)
    const existing = calls.get(id)
    if (existing !== undefined) return learn(existing.call, chunk)
    const owner = ownerOf(chunk)
    const call: Call = { id, type: 'function', function: { name: String(chunk.toolCallName), arguments: '' } }
    learn(call, chunk)
    owner.toolCalls ??= []
    ;(owner.toolCalls as Json[]).push(call as unknown as Json)
    calls.set(id, { call, owner })
  }

  const changeCall: Row = (chunk) => {
    const call = calls.get(String(chunk.toolCallId))?.call
    if (call === undefined) return
    if (chunk.delta !== undefined) call.function.arguments += String(chunk.delta)
    learn(call, chunk)
  }

  /** A result stands behind the message of its call and the results that are there already. */
  const addResult: Row = (chunk) => {
    const { messageId, toolCallId, content } = chunk
    const result: ListedMessage = { id: String(messageId), toolCallId, role: 'tool', content, ...agentOf(chunk) }
    learn(result, chunk)
    const owner = calls.get(String(toolCallId))?.owner
    let at = owner === undefined ? messages.length : messages.lastIndexOf(owner) + 1
    while (owner !== undefined && messages[at]?.role === 'tool') at++
    messages.splice(at, 0, result)
    byId.set(result.id, result)
  }

  const setActivity: Row = (chunk) => {
    const { messageId, activityType, content } = chunk
    const id = String(messageId)
    if (!byId.has(id)) add({ id, role: 'activity' })
    const message = byId.get(id) as ListedMessage
    Object.assign(message, { activityType, content, subagentRunId: chunk.subagentRunId })
    learn(message, chunk)
  }

  /** The patches of this wire only append to a list of the content. The list is a copy, because the chunk is sent, too. */
  const extendActivity: Row = (chunk) => {
    const message = byId.get(String(chunk.messageId))
    if (!isJsonObject(message?.content)) return
    const lists = message.content as Record<string, Json>
    for (const { path, value } of chunk.patch as readonly { readonly path: string; readonly value: Json }[]) {
      const key = path.slice(1, -2)
      if (!extended.has(message)) message.content = { ...lists, [key]: [...(lists[key] as readonly Json[])] }
      extended.add(message)
      ;((message.content as JsonObject)[key] as Json[]).push(value)
    }
    learn(message, chunk)
  }
  const extended = new WeakSet<ListedMessage>()

  const encrypt: Row = ({ subtype, entityId, encryptedValue }) => {
    const id = String(entityId)
    const target = subtype === 'tool-call' ? calls.get(id)?.call : byId.get(id)
    if (target !== undefined && encryptedValue !== undefined) target.encryptedValue = encryptedValue
  }

  const rows: { readonly [type: string]: Row } = {
    TEXT_MESSAGE_START: begin(({ role }) => String(role ?? 'assistant')),
    TEXT_MESSAGE_CONTENT: change,
    TEXT_MESSAGE_END: change,
    REASONING_MESSAGE_START: begin(() => 'reasoning'),
    REASONING_MESSAGE_CONTENT: change,
    REASONING_MESSAGE_END: change,
    REASONING_ENCRYPTED_VALUE: encrypt,
    TOOL_CALL_START: startCall,
    TOOL_CALL_ARGS: changeCall,
    TOOL_CALL_END: changeCall,
    TOOL_CALL_RESULT: addResult,
    ACTIVITY_SNAPSHOT: setActivity,
    ACTIVITY_DELTA: extendActivity,
  }

  return {
    push: (chunk) => rows[String(chunk.type)]?.(chunk),
    add,
    messages: () => messages as readonly JsonObject[],
  }
}

const agentOf = ({ subagentRunId }: Chunk) => (subagentRunId === undefined ? {} : { subagentRunId })

/** Metadata is merged key by key. */
function learn(target: { metadata?: Json | undefined } | undefined, { metadata }: Chunk): void {
  if (target === undefined || !isJsonObject(metadata)) return
  target.metadata = { ...(target.metadata as JsonObject | undefined), ...metadata }
}
