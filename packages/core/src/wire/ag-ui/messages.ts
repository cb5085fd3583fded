import type { Common, Role } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Rows } from '../rows.ts'

/** The open messages: which events are written on this wire, and in which role. */
export interface Messages {
  readonly rows: Pick<Rows, 'message-start' | 'message-end'>
  /**
   * The role of an event; undefined if it belongs to a message that the client already has. No client has the messages
   * that a subagent receives.
   */
  roleOf(event: Common): 'assistant' | 'user' | 'system' | undefined
  /** The id of the message that an event belongs to. */
  messageOf(event: Common): string | undefined
}

export function createMessages(): Messages {
  /** The roles of the open messages that are not the assistant's. The main agent is the empty string. */
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

/**
 * The message of the client that holds a call. Parallel calls belong to one message, after the text that announced
 * them, because a client that sends the conversation back to a model needs them together.
 */
export interface CallParents {
  /** The agent has begun a text that calls may follow. */
  announce(agentId: string | undefined, messageId: string): void
  /** Ends the current group: the agent's next call does not belong to the same message. */
  endGroup(agentId: string | undefined): void
  /** The message of a call that starts. `newMessageId` is used if no text and no parallel call has given one. */
  parentOf(agentId: string | undefined, newMessageId: string): string
}

export function createCallParents(): CallParents {
  const parents = new Map<string, string>()
  return {
    announce: (agentId = '', messageId) => void parents.set(agentId, messageId),
    endGroup: (agentId = '') => void parents.delete(agentId),
    parentOf(agentId = '', newMessageId) {
      const parent = parents.get(agentId) ?? newMessageId
      parents.set(agentId, parent)
      return parent
    },
  }
}
