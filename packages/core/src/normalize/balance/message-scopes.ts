import type { Role } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Emit, EventScope } from '../pass.ts'
import { createIds, createRecent } from './recent.ts'

interface OpenMessage {
  /** The emitted id: it differs from the incoming one if that was taken. */
  readonly id: string
  readonly agentId: string | undefined
  readonly isMinted: boolean
}

/** The scope that a message is looked up or opened for; the main agent has no `agentId`. */
type MessageScope = { readonly [Field in keyof EventScope]: EventScope[Field] | undefined }

/** The subagents and messages that events belong to. */
export interface MessageScopes {
  /** Ensures that the event has an agent and a message to be drawn in; returns that message's id. */
  ensure(event: StreamEvent): string | undefined
  /** The event with the emitted id of its message. */
  withMessageId<Event extends StreamEvent>(event: Event): Event
  /** Starts a subagent that was not announced. */
  ensureAgent(agentId: string | undefined): void
  startMessage(event: EventOf<'message-start'>): void
  endMessage(event: EventOf<'message-end'>): void
  startAgent(event: EventOf<'subagent-start'>): void
  endAgent(event: EventOf<'subagent-end'>): void
  /** The message that a run's error is shown in. */
  ensureAssistant(): void
  closeAll(isCut: boolean): void
}

/** `blocks` closes the open blocks of a message, or of a subagent, before it ends. */
export function createMessageScopes(
  emit: Emit,
  blocks: { closeInMessage(messageId: string): void; closeOfAgent(agentId: string): void },
): MessageScopes {
  const messages = new Map<string, OpenMessage>()
  /** The roles of recent messages, open or closed. */
  const roles = createRecent<Role>()
  const ids = createIds()
  const agents = new Set<string>()
  const closedAgents = createRecent<true>()
  let minted = 0
  let hasAssistant = false

  function open(event: EventOf<'message-start'>, isMinted: boolean): void {
    const id = ids.claim(event.messageId)
    messages.set(keyOf(event.agentId, event.messageId), { id, agentId: event.agentId, isMinted })
    if (event.role === 'assistant' && event.agentId === undefined) hasAssistant = true
    roles.add(id, event.role)
    emit(id === event.messageId ? event : { ...event, messageId: id })
  }

  function mint(event: MessageScope, messageId?: string): void {
    const id = messageId ?? `m${++minted}`
    const role = roles.get(id) ?? 'assistant'
    const sentAt = event.sentAt === undefined ? {} : { sentAt: event.sentAt }
    open({ type: 'message-start', messageId: id, role, ...sentAt }, true)
  }

  function close(key: string, message: OpenMessage, event: Partial<EventOf<'message-end'>>): void {
    blocks.closeInMessage(message.id)
    messages.delete(key)
    const agent = message.agentId === undefined ? {} : { agentId: message.agentId }
    emit({ ...agent, ...event, type: 'message-end', messageId: message.id })
  }

  /** The message of an agent's event that names none: the one opened last. */
  function currentOf(agentId: string | undefined): OpenMessage | undefined {
    let current: OpenMessage | undefined
    for (const message of messages.values()) if (message.agentId === agentId) current = message
    return current
  }

  function ensureAgent(agentId: string | undefined): void {
    if (agentId === undefined || agents.has(agentId) || closedAgents.has(agentId)) return
    startAgent({ type: 'subagent-start', agentId, name: agentId })
  }

  function ensureMessage(event: MessageScope): OpenMessage | undefined {
    const { agentId, messageId } = event
    const find = () => (messageId === undefined ? currentOf(agentId) : messages.get(keyOf(agentId, messageId)))
    const found = find()
    if (found !== undefined || agentId !== undefined) return found
    mint(event, messageId)
    return find()
  }

  function startAgent(event: EventOf<'subagent-start'>): void {
    if (agents.has(event.agentId)) return
    if (event.parentAgentId === event.agentId) {
      const { parentAgentId: _itself, ...rest } = event
      startAgent(rest)
      return
    }
    ensureAgent(event.parentAgentId)
    const message = event.parentAgentId === undefined ? ensureMessage({ ...event, agentId: undefined }) : undefined
    agents.add(event.agentId)
    emit(event.messageId === undefined || message === undefined ? event : { ...event, messageId: message.id })
  }

  function closeMintedOf(agentId: string | undefined): void {
    for (const [key, message] of messages) if (message.isMinted && message.agentId === agentId) close(key, message, {})
  }

  function endAgent(event: EventOf<'subagent-end'>): void {
    if (!agents.has(event.agentId)) {
      if (closedAgents.has(event.agentId)) return
      startAgent({ type: 'subagent-start', agentId: event.agentId, name: event.agentId })
    }
    blocks.closeOfAgent(event.agentId)
    for (const [key, message] of messages) if (message.agentId === event.agentId) close(key, message, {})
    agents.delete(event.agentId)
    closedAgents.add(event.agentId, true)
    emit(event)
  }

  return {
    ensure(event) {
      ensureAgent(event.agentId)
      return ensureMessage(event)?.id
    },
    withMessageId(event) {
      if (event.messageId === undefined) return event
      const message = messages.get(keyOf(event.agentId, event.messageId))
      return message === undefined || message.id === event.messageId ? event : { ...event, messageId: message.id }
    },
    startMessage(event) {
      if (messages.has(keyOf(event.agentId, event.messageId))) return
      ensureAgent(event.agentId)
      closeMintedOf(event.agentId)
      open(event, false)
    },
    endMessage(event) {
      const key = keyOf(event.agentId, event.messageId)
      const message = messages.get(key)
      if (message !== undefined) close(key, message, event)
    },
    ensureAgent,
    startAgent,
    endAgent,
    ensureAssistant() {
      if (!hasAssistant) mint({})
    },
    closeAll(isCut) {
      for (const agentId of [...agents].reverse()) endAgent({ type: 'subagent-end', agentId, status: 'interrupted' })
      for (const [key, message] of messages) close(key, message, isCut ? { interrupted: true } : {})
    },
  }
}

/** One message id may be used by the main agent and by a subagent: they are two messages. */
function keyOf(agentId: string | undefined, messageId: string): string {
  return agentId === undefined ? messageId : `${agentId}\n${messageId}`
}
