import type { Common, Role } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'

/** The roles of the open messages, by agent. The main agent is the empty string. */
export interface Roles {
  start(event: EventOf<'message-start'>): void
  end(event: EventOf<'message-end'>): void
  roleOf(event: Common): Role
}

export function createRoles(): Roles {
  const open = new Map<string, Map<string, Role>>()
  const messagesOf = (agentId = '') => open.get(agentId)

  return {
    start({ agentId, messageId, role }) {
      const messages = messagesOf(agentId) ?? new Map<string, Role>()
      open.set(agentId ?? '', messages.set(messageId, role))
    },
    end({ agentId, messageId }) {
      const messages = messagesOf(agentId)
      messages?.delete(messageId)
      if (messages?.size === 0) open.delete(agentId ?? '')
    },
    roleOf({ agentId, messageId }) {
      const messages = messagesOf(agentId)
      if (messages === undefined) return 'assistant'
      const named = messageId === undefined ? undefined : messages.get(messageId)
      return named ?? [...messages.values()].at(-1) ?? 'assistant'
    },
  }
}
