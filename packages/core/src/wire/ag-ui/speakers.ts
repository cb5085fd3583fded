import type { Common, Role } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Rows } from '../rows.ts'

/** Whose words are said on this wire, and in which role. */
export interface Speakers {
  readonly rows: Pick<Rows, 'message-start' | 'message-end'>
  /**
   * The role that an event is said in; nothing where it stands in a message that the client has already. What a
   * subagent is told, no client has.
   */
  roleOf(event: Common): 'assistant' | 'user' | 'system' | undefined
  /** The message that an event stands in. */
  messageOf(event: Common): string | undefined
}

export function createSpeakers(): Speakers {
  /** Of the open messages that are not the assistant's; the main agent is the empty string. */
  const roles = new Map<string, Role>()
  const current = new Map<string, string>()
  const keyOf = (agentId: string | undefined, messageId: string) => `${agentId ?? ''}\n${messageId}`

  function start({ messageId, role, agentId }: EventOf<'message-start'>): void {
    current.set(agentId ?? '', messageId)
    if (role !== 'assistant') roles.set(keyOf(agentId, messageId), role)
  }

  const messageOf = ({ messageId, agentId }: Common) => messageId ?? current.get(agentId ?? '')

  return {
    messageOf,
    rows: {
      'message-start': start,
      'message-end'({ messageId, agentId }) {
        roles.delete(keyOf(agentId, messageId))
        if (current.get(agentId ?? '') === messageId) current.delete(agentId ?? '')
      },
    },
    roleOf(event) {
      if (roles.size === 0) return 'assistant'
      const { agentId } = event
      const role = roles.get(keyOf(agentId, messageOf(event) ?? '')) ?? 'assistant'
      if (role === 'assistant') return role
      if (agentId === undefined) return undefined
      return role === 'tool' ? 'assistant' : role
    },
  }
}
